package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.statement.SentMetadata.Sent;
import io.sluice.wire.StatementMetadata;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the metadata that clients were sent, version by version. */
class SentMetadataTest {

  private static final int V4 = 4;
  private static final int V5 = 5;

  private final SentMetadata sent = new SentMetadata(false);

  private static StatementMetadata columns(int number) {
    ByteBuffer digest = ByteBuffer.wrap(new byte[] {(byte) number});
    return new StatementMetadata(digest, number, digest, ByteBuffer.allocate(0));
  }

  @Test
  void nothing_is_sent_at_first() {
    assertThat(sent.get(V4)).isNull();
    assertThat(sent.get(7)).as("the highest version").isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_first_metadata_are_as_sure_as_the_record(boolean unsure) {
    SentMetadata record = new SentMetadata(unsure);
    assertThat(record.recordSent(V4, columns(1))).isEqualTo(new Sent(columns(1), unsure));
    assertThat(record.get(V4)).isEqualTo(new Sent(columns(1), unsure));
  }

  @Test
  void the_same_metadata_sent_again_change_nothing() {
    Sent first = sent.recordSent(V4, columns(1));
    assertThat(sent.recordSent(V4, columns(1))).isSameAs(first);
  }

  @Test
  void other_metadata_replace_the_first_and_are_a_change_for_good() {
    sent.recordSent(V4, columns(1));
    assertThat(sent.recordSent(V4, columns(2))).isEqualTo(new Sent(columns(2), true));
    assertThat(sent.recordSent(V4, columns(2)))
        .as("some clients may still hold the first")
        .isEqualTo(new Sent(columns(2), true));
  }

  @Test
  void each_version_has_metadata_of_its_own() {
    sent.recordSent(V4, columns(1));
    assertThat(sent.get(V5)).isNull();
    assertThat(sent.recordSent(V5, columns(2))).isEqualTo(new Sent(columns(2), false));
    assertThat(sent.get(V4)).isEqualTo(new Sent(columns(1), false));
  }

  /** A client that was sent nothing holds no metadata that could be out of date. */
  @Test
  void metadata_of_a_node_are_recorded_only_if_clients_were_sent_some() {
    assertThat(sent.matches(V4, columns(1))).isFalse();
    assertThat(sent.get(V4)).isNull();
  }

  @Test
  void a_node_that_returns_what_was_sent_matches_and_changes_nothing() {
    sent.recordSent(V4, columns(1));
    assertThat(sent.matches(V4, columns(1))).isTrue();
    assertThat(sent.get(V4)).isEqualTo(new Sent(columns(1), false));
  }

  @Test
  void a_node_that_returns_other_metadata_does_not_match_and_they_are_the_latest() {
    sent.recordSent(V4, columns(1));
    assertThat(sent.matches(V4, columns(2))).isFalse();
    assertThat(sent.get(V4)).isEqualTo(new Sent(columns(2), true));
    assertThat(sent.matches(V4, columns(2))).as("the next node").isTrue();
  }

  @Test
  void an_answer_that_does_not_match_casts_doubt_and_keeps_the_metadata() {
    sent.recordSent(V4, columns(1));
    sent.doubt(V4);
    assertThat(sent.get(V4)).isEqualTo(new Sent(columns(1), true));
  }

  @Test
  void there_is_no_doubt_about_what_was_not_sent() {
    sent.recordSent(V4, columns(1));
    sent.doubt(V5);
    assertThat(sent.get(V5)).isNull();
    assertThat(sent.get(V4)).isEqualTo(new Sent(columns(1), false));
  }
}
