package io.sluice.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The pages of the admin port. */
final class AdminPages extends Handler.Abstract {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private static final String INDEX =
      """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Sluice</title></head>
      <body>
      <h1>Sluice %s</h1>
      <p>%s</p>
      <ul>
      <li><a href="livez">livez</a>: 200 while the process runs</li>
      <li><a href="readyz">readyz</a>: 200 when requests can be served, else 503 and why not</li>
      <li><a href="metrics">metrics</a>: for Prometheus</li>
      </ul>
      </body>
      </html>
      """;

  private static final Page UNAUTHORIZED =
      new Page(HttpStatus.UNAUTHORIZED_401, TEXT, "this page needs a bearer token\n");

  private final AdminGate gate;
  private final Readiness readiness;
  private final PrometheusMeterRegistry registry;

  AdminPages(AdminGate gate, Readiness readiness, PrometheusMeterRegistry registry) {
    this.gate = gate;
    this.readiness = readiness;
    this.registry = registry;
  }

  private record Page(int status, String type, String body) {}

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    boolean reads =
        HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
    String path = Request.getPathInContext(request);
    Page page;
    if (!gate.opens(path, request.getHeaders().get(HttpHeader.AUTHORIZATION))) {
      page = UNAUTHORIZED;
      response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    } else if (reads) {
      page = page(path);
    } else {
      page = new Page(HttpStatus.METHOD_NOT_ALLOWED_405, TEXT, "only GET\n");
    }
    response.setStatus(page.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, page.type());
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    Content.Sink.write(response, true, page.body(), callback);
    return true;
  }

  private Page page(String path) {
    return switch (path) {
      case "/" -> index();
      case "/livez" -> new Page(HttpStatus.OK_200, TEXT, "live\n");
      case "/readyz" -> readyz();
      case "/metrics" -> new Page(HttpStatus.OK_200, PROMETHEUS, registry.scrape());
      default -> new Page(HttpStatus.NOT_FOUND_404, TEXT, "no such page; / lists them\n");
    };
  }

  private Page index() {
    String reason = readiness.notReady();
    String state = reason == null ? "ready" : "not ready: " + escaped(reason);
    return new Page(HttpStatus.OK_200, HTML, INDEX.formatted(Resources.version(), state));
  }

  private Page readyz() {
    String reason = readiness.notReady();
    return reason == null
        ? new Page(HttpStatus.OK_200, TEXT, "ready\n")
        : new Page(HttpStatus.SERVICE_UNAVAILABLE_503, TEXT, reason + "\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
