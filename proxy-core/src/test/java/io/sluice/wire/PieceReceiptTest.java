package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Tests of a node's answer on its way from a home proxy to the requesting proxy. */
class PieceReceiptTest {

  private static final ForwardedPiece.Receipt RECEIPT = new ForwardedPiece.Receipt(1_500, 42);

  private static ByteBuffer text(int length) {
    return ByteBuffer.allocate(length);
  }

  private static Frame large() {
    TestRows rows = new TestRows("k blob");
    for (int i = 0; i < 100; i++) {
      rows.row(text(1_000));
    }
    return rows.frame();
  }

  private static TestRows small() {
    return new TestRows("k int").row(text(4));
  }

  private static void comesBackAsItWas(Frame answer) {
    String before = TestFrames.hex(answer);
    Frame sent = RECEIPT.addTo(answer);
    assertThat(ForwardedPiece.Receipt.of(sent)).isEqualTo(RECEIPT);
    // As it arrives: in one buffer.
    Frame arrived = TestFrames.of(TestFrames.hex(sent));
    sent.release();
    assertThat(ForwardedPiece.Receipt.of(arrived)).isEqualTo(RECEIPT);
    ForwardedPiece.Receipt.takeOut(arrived);
    assertThat(ForwardedPiece.Receipt.of(arrived)).isNull();
    assertThat(TestFrames.hex(arrived)).isEqualTo(before);
    assertThat(WireEnd.read(arrived)).isNotNull();
    arrived.release();
  }

  @Test
  void the_answer_is_as_the_node_sent_it() {
    comesBackAsItWas(small().frame());
    comesBackAsItWas(TestFrames.error(4, 0x1200));
    comesBackAsItWas(large());
  }

  @Test
  void an_answer_with_warnings_and_payload_is_as_the_node_sent_it() {
    comesBackAsItWas(small().warning("one").warning("of the dög").frame());
    comesBackAsItWas(small().warning("one").payload("other", (byte) 9).frame());
    comesBackAsItWas(small().payload("other").frame());
  }

  @Test
  void any_other_response_has_no_receipt() {
    Frame plain = small().frame();
    Frame other = small().payload("sluice-home", (byte) 1, (byte) 2).frame();
    assertThat(ForwardedPiece.Receipt.of(plain)).isNull();
    assertThat(ForwardedPiece.Receipt.of(other)).isNull();
    plain.release();
    other.release();
  }

  @Test
  void times_beyond_the_format_are_clamped() {
    assertThat(new ForwardedPiece.Receipt(-1, Long.MAX_VALUE))
        .isEqualTo(new ForwardedPiece.Receipt(0, Integer.MAX_VALUE));
  }
}
