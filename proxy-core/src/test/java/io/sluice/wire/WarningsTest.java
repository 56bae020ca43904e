package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of warnings that are added to a response. */
class WarningsTest {

  private static final List<String> TWO = List.of("Rule é: less", "more");

  private static Frame answer(int version, boolean loaded, Message message) {
    return new Frame(
        Unpooled.wrappedBuffer(
            WireEnd.response(
                com.datastax.oss.protocol.internal.Frame.forResponse(
                    version,
                    3,
                    loaded ? new UUID(1, 2) : null,
                    loaded ? Map.of("k", ByteBuffer.wrap(new byte[3])) : Map.of(),
                    loaded ? List.of("beware", "") : List.of(),
                    message))));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void warnings_follow_those_of_the_node_and_everything_else_stays(int version) {
    Frame made = Warnings.addTo(answer(version, true, Void.INSTANCE), TWO);
    var read = WireEnd.read(made);
    assertThat(read.warnings).containsExactly("beware", "", "Rule é: less", "more");
    assertThat(read.tracingId).isEqualTo(new UUID(1, 2));
    assertThat(read.customPayload).containsOnlyKeys("k");
    assertThat(read.message).isInstanceOf(Void.class);
    assertThat(made.stream()).isEqualTo(3);
    made.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void a_response_without_warnings_gets_the_flag(int version) {
    Frame made = Warnings.addTo(answer(version, false, Void.INSTANCE), TWO);
    var read = WireEnd.read(made);
    assertThat(read.warnings).isEqualTo(TWO);
    assertThat(read.message).isInstanceOf(Void.class);
    made.release();
  }

  @Test
  void version_3_and_errors_stay_unchanged() {
    Frame old = answer(3, false, Void.INSTANCE);
    assertThat(Warnings.addTo(old, TWO)).isSameAs(old);
    Frame error = answer(4, false, new Error(0x2200, "no"));
    assertThat(Warnings.addTo(error, TWO)).isSameAs(error);
    Frame plain = answer(4, false, Void.INSTANCE);
    assertThat(Warnings.addTo(plain, List.of())).isSameAs(plain);
    old.release();
    error.release();
    plain.release();
  }

  @Test
  void a_long_warning_is_cut_to_fit_the_protocol() {
    Frame made = Warnings.addTo(answer(4, false, Void.INSTANCE), List.of("é".repeat(70_000)));
    var read = WireEnd.read(made);
    assertThat(read.warnings).hasSize(1);
    assertThat(read.warnings.get(0)).hasSize(4097).endsWith("é…");
    made.release();
  }

  @Test
  void warnings_are_added_as_far_as_their_number_fits_the_protocol() {
    List<String> most = Collections.nCopies(65_534, "");
    Frame full =
        new Frame(
            Unpooled.wrappedBuffer(
                WireEnd.response(
                    com.datastax.oss.protocol.internal.Frame.forResponse(
                        4, 3, null, Map.of(), most, Void.INSTANCE))));
    Frame made = Warnings.addTo(full, TWO);
    var read = WireEnd.read(made);
    assertThat(read.warnings).hasSize(65_535).endsWith("", TWO.get(0));
    assertThat(read.message).isInstanceOf(Void.class);
    made.release();
  }

  @Test
  void the_payload_of_a_request_is_found_by_its_key() {
    Message any = new com.datastax.oss.protocol.internal.request.Query("SELECT 1");
    Frame with = TestFrames.traced(4, any, "sluice-priority", (byte) 'l', (byte) 'o');
    assertThat(CustomPayload.text(with, "sluice-priority")).isEqualTo("lo");
    assertThat(CustomPayload.text(with, "sluice-prioritx")).isNull();
    assertThat(CustomPayload.text(with, "sluice")).isNull();
    Frame without = TestFrames.request(4, 1, any);
    assertThat(CustomPayload.text(without, "sluice-priority")).isNull();
    with.release();
    without.release();
  }
}
