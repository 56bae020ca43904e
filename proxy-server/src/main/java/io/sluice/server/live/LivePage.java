package io.sluice.server.live;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The live page: its files, which contain no data, its stream of data, and its changes. The caller
 * controls access. Safe for any thread.
 */
public final class LivePage implements AutoCloseable {

  /** The path of the stream of data. */
  public static final String STREAM = "/live";

  private static final String CHARTS = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final Pattern END = Pattern.compile("/requests/(\\d{1,18})/end");
  private static final Pattern MODE =
      Pattern.compile("/mode/(" + String.join("|", ModeSwitch.MODES) + ")");

  private final Map<String, StaticFile> files =
      Map.of(
          "/", StaticFile.read("/live/index.html", "text/html"),
          "/live.css", StaticFile.read("/live/live.css", "text/css"),
          "/live.js", StaticFile.read("/live/live.js", "text/javascript"),
          "/uplot.css", StaticFile.read(CHARTS + "uPlot.min.css", "text/css"),
          "/uplot.js", StaticFile.read(CHARTS + "uPlot.iife.min.js", "text/javascript"));
  private final LiveFeed feed;

  /** A file of this jar. Its bytes are never changed. */
  private record StaticFile(ByteBuffer bytes, String type) {

    static StaticFile read(String name, String type) {
      try (InputStream in = LivePage.class.getResourceAsStream(name)) {
        byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
        return new StaticFile(ByteBuffer.wrap(bytes), type + "; charset=utf-8");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Creates a page that reads the meters of {@code registry} from now on. */
  public LivePage(MeterRegistry registry) {
    this.feed = new LiveFeed(registry);
  }

  /** Provides the proxy to query. */
  public void serving(ConsoleView proxy) {
    feed.serving(proxy);
  }

  /** Whether {@code path} is a file of the page. */
  public boolean isFile(String path) {
    return files.containsKey(path);
  }

  /** Sends a file of the page. */
  public void file(String path, Response response, Callback callback) {
    StaticFile file = Objects.requireNonNull(files.get(path));
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, file.type());
    response.getHeaders().put("Content-Security-Policy", CONTENT_POLICY);
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.getHeaders().put("Referrer-Policy", "no-referrer");
    response.setStatus(HttpStatus.OK_200);
    response.write(true, file.bytes().asReadOnlyBuffer(), callback);
  }

  /** Sends events until the browser leaves. Returns false when too many streams are open. */
  public boolean stream(Response response, Callback callback) {
    response.setStatus(HttpStatus.OK_200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    return feed.add(new EventStream(response, callback));
  }

  /** Returns the request that a path asks to end; null for other paths. */
  public static @Nullable Long requestToEnd(String path) {
    Matcher matcher = END.matcher(path);
    return matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
  }

  /**
   * Ends a request in flight.
   *
   * @param operator the operator, for the request's client and for the log
   * @param then called once, with whether the request was still in flight
   */
  public void end(long request, String operator, Consumer<Boolean> then) {
    ConsoleView console = feed.console();
    if (console == null) {
      then.accept(false);
    } else {
      console.end(request, operator, then);
    }
  }

  /** Returns the mode that a path asks for; null for other paths. */
  public static @Nullable String modeToSet(String path) {
    Matcher matcher = MODE.matcher(path);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /**
   * Sets {@code scheduling.mode} for a minute, or restores the mode before it.
   *
   * @param mode a mode of {@link #modeToSet}
   * @param operator the operator, for the log
   * @param then called once, with a sentence about the result
   */
  public void mode(String mode, String operator, Consumer<String> then) {
    ConsoleView console = feed.console();
    if (console == null) {
      then.accept("the proxy does not serve yet");
    } else {
      feed.mode().set(console, mode, operator, then);
    }
  }

  @Override
  public void close() {
    feed.close();
  }
}
