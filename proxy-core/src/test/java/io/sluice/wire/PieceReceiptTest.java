package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A node's answer on its way from a home to the proxy that asked. */
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
    // As it arrives: in one piece of memory.
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
  void the_answer_is_as_the_node_gave_it() {
    comesBackAsItWas(small().frame());
    comesBackAsItWas(TestFrames.error(4, 0x1200));
    comesBackAsItWas(large());
  }

  @Test
  void with_its_warnings_and_its_payload_too() {
    comesBackAsItWas(small().warning("one").warning("of the dög").frame());
    comesBackAsItWas(small().warning("one").payload("other", (byte) 9).frame());
    comesBackAsItWas(small().payload("other").frame());
  }

  @Test
  void any_other_answer_has_none() {
    Frame plain = small().frame();
    Frame other = small().payload("sluice-home", (byte) 1, (byte) 2).frame();
    assertThat(ForwardedPiece.Receipt.of(plain)).isNull();
    assertThat(ForwardedPiece.Receipt.of(other)).isNull();
    plain.release();
    other.release();
  }

  @Test
  void times_beyond_all_bounds_are_cut() {
    assertThat(new ForwardedPiece.Receipt(-1, Long.MAX_VALUE))
        .isEqualTo(new ForwardedPiece.Receipt(0, Integer.MAX_VALUE));
  }
}
