package io.sluice.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A collector of traces on loopback, which accepts OTLP over HTTP and keeps the spans. Safe for any
 * thread.
 */
public final class TraceCollector implements AutoCloseable {

  private static final int WIRE_TYPE_BITS = 3;
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile Runnable before = () -> {};

  /**
   * A received span.
   *
   * @param kind 1 internal, 2 server, 3 client
   * @param attributes values as text
   * @param error the message of an error status; empty for any other status
   */
  public record Span(
      String traceId,
      String spanId,
      String parentId,
      String name,
      long kind,
      long startNanos,
      long endNanos,
      Map<String, String> attributes,
      String error) {}

  private TraceCollector(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts a collector on a free port.
   *
   * @throws IOException when it cannot listen
   */
  public static TraceCollector start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    TraceCollector collector = new TraceCollector(server);
    server.createContext("/v1/traces", collector::take);
    server.setExecutor(collector.threads);
    server.start();
    return collector;
  }

  /** Returns the address for traces. */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  /** Sets the status of its responses. It keeps spans only while this is 200. */
  public void answers(int next) {
    status = next;
  }

  /** Runs {@code next} before each response. */
  public void before(Runnable next) {
    before = next;
  }

  /** Returns the received spans, in their order. */
  public List<Span> spans() {
    return List.copyOf(spans);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    before.run();
    if (status == 200) {
      fields(
          ByteBuffer.wrap(body),
          (resources, value) ->
              fields((ByteBuffer) value, (field, scoped) -> takeScope(field, scoped)));
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  /** Reads a field of ResourceSpans. Field 2 is a ScopeSpans, whose field 2 is a Span. */
  private void takeScope(int field, Object scoped) {
    if (field == 2) {
      fields(
          (ByteBuffer) scoped,
          (inner, span) -> {
            if (inner == 2) {
              spans.add(span((ByteBuffer) span));
            }
          });
    }
  }

  private static Span span(ByteBuffer message) {
    Map<Integer, Object> one = new HashMap<>();
    Map<String, String> attributes = new HashMap<>();
    fields(
        message,
        (field, value) -> {
          if (field == 9) {
            attribute((ByteBuffer) value, attributes);
          } else {
            one.put(field, value);
          }
        });
    return new Span(
        hex(one.get(1)),
        hex(one.get(2)),
        hex(one.get(4)),
        text(one.get(5)),
        (Long) one.getOrDefault(6, 0L),
        (Long) one.getOrDefault(7, 0L),
        (Long) one.getOrDefault(8, 0L),
        Map.copyOf(attributes),
        error(one.get(15)));
  }

  private static void attribute(ByteBuffer message, Map<String, String> into) {
    List<String> pair = new ArrayList<>();
    fields(
        message,
        (field, value) -> {
          if (field == 1) {
            pair.add(text(value));
          } else {
            fields((ByteBuffer) value, (kind, any) -> pair.add(text(any)));
          }
        });
    into.put(pair.get(0), pair.size() > 1 ? pair.get(1) : "");
  }

  private static String error(@Nullable Object status) {
    String[] message = {""};
    if (status instanceof ByteBuffer bytes) {
      fields(
          bytes,
          (field, value) -> {
            if (field == 2) {
              message[0] = text(value);
            }
          });
    }
    return message[0];
  }

  private static String text(@Nullable Object value) {
    return value instanceof ByteBuffer bytes
        ? StandardCharsets.UTF_8.decode(bytes.duplicate()).toString()
        : String.valueOf(value);
  }

  private static String hex(@Nullable Object value) {
    if (!(value instanceof ByteBuffer bytes)) {
      return "";
    }
    byte[] all = new byte[bytes.remaining()];
    bytes.duplicate().get(all);
    return HexFormat.of().formatHex(all);
  }

  /** Calls {@code each} with the number and the value of each field: bytes, or a number. */
  private static void fields(ByteBuffer message, BiConsumer<Integer, Object> each) {
    ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int key = (int) varint(in);
      Object value =
          switch (key & ((1 << WIRE_TYPE_BITS) - 1)) {
            case VARINT -> varint(in);
            case FIXED64 -> in.getLong();
            case FIXED32 -> (long) in.getInt();
            case BYTES -> bytes(in);
            default -> throw new IllegalArgumentException("field " + key);
          };
      each.accept(key >>> WIRE_TYPE_BITS, value);
    }
  }

  private static ByteBuffer bytes(ByteBuffer in) {
    int length = (int) varint(in);
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    return bytes;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte next = -1;
    while (next < 0) {
      next = in.get();
      value |= (next & 0x7FL) << shift;
      shift += 7;
    }
    return value;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
