package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.accept.ClientRequest;
import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Span;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.wire.Answers;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests the end of requests by an operator: their clients' answers, the count, and the logs. */
class RequestEndTest {

  private static final String BY = "role ops from 10.0.0.1:5000";

  private final ConsoleNodes nodes = new ConsoleNodes();
  private final RequestEnd end = new RequestEnd(nodes.running, nodes.audit);

  /** The loggers of the audit and of the class. Other tests cut off the loggers above them. */
  private final List<Logger> loggers =
      Stream.of("io.sluice.audit", RequestEnd.class.getName())
          .map(name -> (Logger) LoggerFactory.getLogger(name))
          .toList();

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  /** The answers to clients. */
  private final List<String> replies = new ArrayList<>();

  private final List<@Nullable Object> outcomes = new ArrayList<>();

  @BeforeEach
  void follow() {
    log.start();
    for (Logger logger : loggers) {
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(log);
    }
  }

  @AfterEach
  void close() {
    loggers.forEach(logger -> logger.detachAppender(log));
    nodes.close();
  }

  /** A request that nothing but its end answers. */
  private static final class Waiting extends Exchange {
    Waiting(ConsoleNodes nodes, ClientRequest request, Statement statement) {
      super(nodes.context, request, statement, 1_000_000_000_000L);
    }

    @Override
    protected void begin() {}

    @Override
    protected void giveUp() {}
  }

  private void start() throws StatementReader.UnknownStatement {
    Frame request = CqlCodec.query(4, "SELECT v FROM ks.t WHERE k = 1");
    ReplyTo replyTo =
        new ReplyTo() {
          @Override
          public void reply(Frame answer) {
            replies.add(Answers.errorMessage(answer));
            answer.release();
          }

          @Override
          public boolean isOpen() {
            return true;
          }
        };
    ClientRequest asked = new ClientRequest(request, nodes.client, replyTo);
    new Waiting(nodes, asked, nodes.reader.read(request, nodes.client, nodes.cluster.view()))
        .start();
  }

  /** Returns the numbers of the requests in flight, from the oldest on. */
  private List<Long> running() {
    List<Long> ids = new ArrayList<>();
    nodes.running.facts(
        nodes.lane, facts -> facts.stream().map(RequestFacts::id).sorted().forEach(ids::add));
    nodes.lane.runSoon();
    return ids;
  }

  private void apply(OwnStatement.Change change, Long... ids) {
    RowSet.Column other = new RowSet.Column("system_proxy", "requests", "role", ColumnType.VARCHAR);
    RowSet.Column id = new RowSet.Column("system_proxy", "requests", "id", ColumnType.BIGINT);
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    for (Long each : ids) {
      // The cell need not begin at the beginning of its buffer.
      ByteBuffer cell = ByteBuffer.allocate(12).putLong(4, each).position(4);
      rows.add(Arrays.asList(null, cell));
    }
    Asker asker = new Asker(BY, "ops", nodes.lane, null, true);
    end.apply(asker, change, BoundValues.NONE, new RowSet(List.of(other, id), rows), outcomes::add);
    nodes.lane.runSoon();
  }

  private List<String> lines(String part) {
    return log.list.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains(part))
        .toList();
  }

  @Test
  void delete_ends_the_requests_of_its_rows_and_no_others() throws Exception {
    for (int i = 0; i < 3; i++) {
      start();
    }
    List<Long> ids = running();
    apply(new OwnStatement.Change(List.of(), List.of()), ids.get(0), ids.get(2));
    assertThat(outcomes).containsExactly((Object) null);
    assertThat(running()).containsExactly(ids.get(1));
    String reason = "The request was ended by " + BY + " (DELETE FROM system_proxy.requests)";
    assertThat(replies).containsExactly(reason, reason);
    assertThat(lines("\"event\": \"ended\""))
        .singleElement()
        .asString()
        .contains("\"by\": \"" + BY + " (DELETE FROM system_proxy.requests)\"")
        .contains("\"requests\": 2")
        .contains("\"ids\": [" + ids.get(0) + ", " + ids.get(2) + "]");
    nodes.running.end(ids, "over", nodes.lane, ended -> {});
    nodes.lane.runSoon();
  }

  @Test
  void delete_without_rows_ends_nothing() throws Exception {
    start();
    apply(new OwnStatement.Change(List.of(), List.of()));
    assertThat(outcomes).containsExactly((Object) null);
    assertThat(replies).isEmpty();
    nodes.running.end(running(), "over", nodes.lane, ended -> {});
    nodes.lane.runSoon();
  }

  @Test
  void any_other_change_is_refused_and_ends_nothing() throws Exception {
    start();
    Restriction assignment =
        new Restriction(
            new Span(0, 1),
            Restriction.Subject.COLUMN,
            List.of("state"),
            Restriction.Operator.EQ,
            List.of());
    apply(new OwnStatement.Change(List.of(assignment), List.of()), running().get(0));
    assertThat(outcomes).containsExactly("system_proxy.requests accepts only DELETE");
    assertThat(replies).isEmpty();
    assertThat(lines("ended")).isEmpty();
    nodes.running.end(running(), "over", nodes.lane, ended -> {});
    nodes.lane.runSoon();
  }

  @Test
  void only_requests_that_were_in_flight_are_counted() throws Exception {
    start();
    long id = running().get(0);
    end.end(Set.of(id, 1L, 2L), "ops", nodes.lane, outcomes::add);
    nodes.lane.runSoon();
    assertThat(outcomes).containsExactly(1);
    assertThat(lines("\"event\": \"ended\""))
        .singleElement()
        .asString()
        .contains("\"requests\": 1", "\"ids\": [1, 2, " + id + "]");
    assertThat(lines("has ended"))
        .containsExactly("ops has ended 1 requests, the first: [1, 2, " + id + "]");
  }

  @Test
  void the_log_names_the_first_ten_requests() {
    Set<Long> ids = Set.copyOf(LongStream.rangeClosed(1, 30).boxed().toList());
    end.end(ids, "ops", nodes.lane, outcomes::add);
    nodes.lane.runSoon();
    assertThat(lines("has ended"))
        .containsExactly("ops has ended 0 requests, the first: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]");
    assertThat(lines("\"event\": \"ended\"")).singleElement().asString().contains("29, 30]");
  }
}
