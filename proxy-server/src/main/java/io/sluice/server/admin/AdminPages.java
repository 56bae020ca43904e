package io.sluice.server.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.server.live.LivePage;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** The pages of the admin port. */
final class AdminPages extends Handler.Abstract {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private static final Page UNAUTHORIZED =
      new Page(
          HttpStatus.UNAUTHORIZED_401,
          TEXT,
          "this page requires the bearer token of admin.token\n");
  private static final Page NO_TOKEN =
      new Page(
          HttpStatus.FORBIDDEN_403,
          TEXT,
          "set admin.token in Sluice's configuration to change anything from here\n");
  private static final Page ENDED = new Page(HttpStatus.OK_200, TEXT, "ended\n");
  private static final Page OVER =
      new Page(HttpStatus.NOT_FOUND_404, TEXT, "the request has already ended\n");
  private static final Page TOO_MANY =
      new Page(HttpStatus.SERVICE_UNAVAILABLE_503, TEXT, "too many pages are open\n");

  private final AdminGate gate;
  private final Supplier<@Nullable String> notReady;
  private final PrometheusMeterRegistry registry;
  private final LivePage live;

  AdminPages(
      AdminGate gate,
      Supplier<@Nullable String> notReady,
      PrometheusMeterRegistry registry,
      LivePage live) {
    this.gate = gate;
    this.notReady = notReady;
    this.registry = registry;
    this.live = live;
  }

  private record Page(int status, String type, String body) {}

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    boolean reads =
        HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
    String path = Request.getPathInContext(request);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (reads && live.isFile(path)) {
      live.file(path, response, callback);
    } else if (!gate.allows(path, request.getHeaders())) {
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
      write(UNAUTHORIZED, response, callback);
    } else if (LivePage.requestToEnd(path) != null || LivePage.modeToSet(path) != null) {
      change(path, request, response, callback);
    } else if (!reads) {
      write(new Page(HttpStatus.METHOD_NOT_ALLOWED_405, TEXT, "only GET\n"), response, callback);
    } else if (!path.equals(LivePage.STREAM)) {
      write(page(path), response, callback);
    } else if (!live.stream(response, callback)) {
      write(TOO_MANY, response, callback);
    }
    return true;
  }

  private static void write(Page page, Response response, Callback callback) {
    response.setStatus(page.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, page.type());
    Content.Sink.write(response, true, page.body(), callback);
  }

  /**
   * Makes a change, which needs the token, so that no other page of the same browser can make it.
   */
  private void change(String path, Request request, Response response, Callback callback) {
    String operator = "an operator at the admin port, from " + Request.getRemoteAddr(request);
    Long id = LivePage.requestToEnd(path);
    String mode = LivePage.modeToSet(path);
    if (!HttpMethod.POST.is(request.getMethod())) {
      write(new Page(HttpStatus.METHOD_NOT_ALLOWED_405, TEXT, "only POST\n"), response, callback);
    } else if (!gate.hasToken()) {
      write(NO_TOKEN, response, callback);
    } else if (id != null) {
      live.end(id, operator, ended -> write(ended ? ENDED : OVER, response, callback));
    } else if (mode != null) {
      live.mode(
          mode,
          operator,
          done -> write(new Page(HttpStatus.OK_200, TEXT, done + "\n"), response, callback));
    }
  }

  private Page page(String path) {
    return switch (path) {
      case "/livez" -> new Page(HttpStatus.OK_200, TEXT, "live\n");
      case "/readyz" -> readyz();
      case "/metrics" -> new Page(HttpStatus.OK_200, PROMETHEUS, registry.scrape());
      default -> new Page(HttpStatus.NOT_FOUND_404, TEXT, "no such page; / lists them\n");
    };
  }

  private Page readyz() {
    String reason = notReady.get();
    return reason == null
        ? new Page(HttpStatus.OK_200, TEXT, "ready\n")
        : new Page(HttpStatus.SERVICE_UNAVAILABLE_503, TEXT, reason + "\n");
  }
}
