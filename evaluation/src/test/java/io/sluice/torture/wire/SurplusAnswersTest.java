package io.sluice.torture.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.response.Ready;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.fake.FakeNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SurplusAnswersTest {
  private final List<String> reported = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel(new SurplusAnswers(reported::add));

  private void request(int stream) {
    assertThat(channel.writeOutbound(frame(stream, Options.INSTANCE))).isTrue();
  }

  private void answer(int stream) {
    assertThat(channel.writeInbound(frame(stream, new Ready()))).isTrue();
  }

  private static Frame frame(int stream, Message message) {
    return Frame.forResponse(4, stream, null, Frame.NO_PAYLOAD, List.of(), message);
  }

  @Test
  void one_answer_to_each_request_is_no_surplus() {
    request(0);
    request(7);
    answer(7);
    answer(0);
    request(7);
    answer(7);

    assertThat(reported).isEmpty();
  }

  @Test
  void an_event_is_no_answer() {
    answer(-1);

    assertThat(reported).isEmpty();
  }

  @Test
  void a_second_answer_and_one_without_a_request_are_reported() {
    request(7);
    answer(7);
    answer(7);
    answer(8);

    assertThat(reported).containsExactly("stream 7: READY", "stream 8: READY");
  }

  @Test
  void sessions_report_surplus_answers_of_the_node_and_nothing_else() throws Exception {
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    try (FakeNode node = FakeNode.start();
        CqlSession session = open(node, answers)) {
      session.execute("SELECT * FROM system.local");
      assertThat(answers).isEmpty();

      node.answerUnasked(31_000);

      assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo("stream 31000: READY");
    }
  }

  private static CqlSession open(FakeNode node, BlockingQueue<String> answers) {
    return new WatchedSessions(answers::add)
        .addContactPoint(node.address())
        .withLocalDatacenter(FakeNode.DATACENTER)
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build())
        .build();
  }
}
