package io.sluice.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests a client that only asks for plans: it has facts, but nothing happens to it. */
class ModelClientTest {

  private final ModelClient client = new ModelClient(5, "shop");

  @Test
  void it_is_an_anonymous_client_without_a_connection() {
    assertThat(client.version()).isEqualTo(5);
    assertThat(client.keyspace()).isEqualTo("shop");
    assertThat(client.identity()).isEqualTo(Identity.ANONYMOUS);
    assertThat(client.certified()).isNull();
    assertThat(client.events()).isEmpty();
    assertThat(client.address().getPort()).isZero();
    assertThat(client.connectedTo()).isEqualTo(client.address());
    assertThat(client.note()).isNull();
  }

  /** Otherwise the plan would be that of a busy moment. */
  @Test
  void it_is_never_in_the_way_of_a_read() {
    assertThat(client.isCongested()).isFalse();
    assertThat(client.isFull()).isFalse();
    assertThat(client.rangeRefusal()).isNull();
    assertThat(client.pointReads().underWay()).isZero();
    assertThat(client.isOpen()).isTrue();
  }

  @Test
  void what_it_is_sent_is_released() {
    Frame answer = CqlCodec.ready(5);
    Frame event = CqlCodec.ready(5);
    client.reply(answer);
    client.push(event);
    assertThat(TestFrames.isReleased(answer)).isTrue();
    assertThat(TestFrames.isReleased(event)).isTrue();
  }

  @Test
  void a_request_that_would_run_is_a_fault() {
    List<Consumer<ModelClient>> calls =
        List.of(
            ModelClient::lane,
            ModelClient::end,
            each -> each.authenticated(Identity.ANONYMOUS),
            each -> each.keyspace("other"),
            each -> each.note("a note"),
            each -> each.buffered(1),
            each -> each.whenDrained(() -> {}));
    for (Consumer<ModelClient> call : calls) {
      assertThatThrownBy(() -> call.accept(client))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("not supported by a modelled client");
    }
  }
}
