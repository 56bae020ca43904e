package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.rule.Rule;
import io.sluice.exchange.ClientRules;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.statement.Statement;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends range reads of a client, and pieces of other proxies, to the proxy of a {@link PageFixture}
 * as whole requests, each with its deadline and its one answer.
 */
final class RangeClient implements AutoCloseable {

  private final PageFixture fixture;
  private final List<Frame> requests = new ArrayList<>();
  private final List<Reply> replies = new ArrayList<>();

  RangeClient(PageFixture fixture) {
    this.fixture = fixture;
  }

  /** Asks for the first page. */
  Reply ask(String cql, int pageSize) {
    return ask(cql, pageSize, null);
  }

  /** Asks for the page that begins where another one ended. */
  Reply ask(String cql, int pageSize, @Nullable ByteBuffer state) {
    Frame request = TestFrames.page(cql, pageSize, state);
    return ask(request, fixture.statement(request));
  }

  /** Puts all requests from now on under the rule {@code slow} with this timeout. */
  void rule(@Nullable Duration timeout) {
    Rule rule = new Rule("slow", null, null, null, null, timeout, null, null, null);
    fixture.context.rules().change(List.of(rule));
  }

  /** Sends a request whose statement is read. Takes the frame over. */
  Reply ask(Frame request, Statement statement) {
    Reply reply = reply(request);
    start(new ClientRequest(request, fixture.client, reply), statement);
    fixture.lane.runSoon();
    return reply;
  }

  private void start(ClientRequest request, Statement statement) {
    exchange(request, statement).start();
  }

  private Exchange exchange(ClientRequest request, Statement read) {
    Statement statement = new ClientRules(fixture.context).apply(request, read);
    Plan plan = new Plans(fixture.context, fixture.reads).plan(request, statement);
    return fixture.reads.exchange(
        request,
        statement,
        Objects.requireNonNull(statement.range()),
        (Plan.Queue) plan,
        () -> exchange(request, fixture.statement(request.frame())));
  }

  /** Sends a piece of another proxy's read, which has this text. */
  Reply guest(String cql, ForwardedPiece piece) {
    Frame request = TestFrames.page(cql, 100, null);
    Reply reply = reply(request);
    Exchange exchange =
        fixture.reads.guest(
            new ClientRequest(request, fixture.client, reply), fixture.statement(request), piece);
    reply.exchange = exchange;
    exchange.start();
    fixture.lane.runSoon();
    return reply;
  }

  private Reply reply(Frame request) {
    Reply reply = new Reply();
    requests.add(request);
    replies.add(reply);
    return reply;
  }

  /** Returns the requests in flight. */
  List<RequestFacts> running() {
    List<RequestFacts> running = new ArrayList<>();
    fixture.context.running().facts(fixture.lane, running::addAll);
    fixture.lane.runSoon();
    return running;
  }

  /** Ends all requests as an operator does. */
  void endAll(String reason) {
    List<Long> ids = running().stream().map(RequestFacts::id).toList();
    fixture.context.running().end(ids, reason, fixture.lane, ended -> {});
    fixture.lane.runSoon();
  }

  /** Checks that each request has one answer and is released, and that no timer is left. */
  @Override
  public void close() {
    assertThat(running()).as("requests in flight").isEmpty();
    for (Reply reply : replies) {
      assertThat(reply.told).as("one answer").hasSize(1);
    }
    for (Frame request : requests) {
      assertThat(TestFrames.isReleased(request)).as("the request").isTrue();
    }
    fixture.close();
    assertThat(fixture.lane.scheduled()).as("timers").isZero();
  }
}
