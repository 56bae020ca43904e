package io.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** Tests which events a browser gets that reads slowly. */
class EventStreamTest {

  private final List<String> written = new ArrayList<>();
  private final List<Callback> writes = new ArrayList<>();
  private final EventStream stream = new EventStream(response(), Callback.NOOP);

  /** Returns a response whose writes the test completes. */
  private Response response() {
    return (Response)
        Proxy.newProxyInstance(
            Response.class.getClassLoader(),
            new Class<?>[] {Response.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("write");
              written.add(StandardCharsets.UTF_8.decode((ByteBuffer) arguments[1]).toString());
              writes.add((Callback) arguments[2]);
              return null;
            });
  }

  private void complete() {
    writes.remove(0).succeeded();
  }

  @Test
  void an_event_is_sent_at_once_when_none_is_being_written() {
    stream.begin("first");
    complete();
    stream.send("a");
    assertThat(written).containsExactly("data: first\n\n", "data: a\n\n");
  }

  @Test
  void of_the_events_that_wait_only_the_newest_is_sent() {
    stream.begin("first");
    stream.send("a");
    stream.send("b");
    assertThat(written).containsExactly("data: first\n\n");
    complete();
    complete();
    assertThat(written).containsExactly("data: first\n\n", "data: b\n\n");
  }

  /** The stream gets events from other threads before it has its first one. */
  @Test
  void the_first_event_is_sent_before_those_that_came_earlier() {
    stream.send("a");
    assertThat(written).isEmpty();
    stream.begin("first");
    stream.send("b");
    complete();
    assertThat(written).containsExactly("data: first\n\n", "data: b\n\n");
  }

  @Test
  void after_its_end_a_stream_sends_nothing() {
    stream.end();
    stream.begin("first");
    stream.send("a");
    assertThat(written).isEmpty();
    assertThat(stream.isOver()).isTrue();
  }
}
