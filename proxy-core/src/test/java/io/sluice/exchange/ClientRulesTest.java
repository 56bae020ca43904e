package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.Action;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.decide.rule.RuleSession;
import io.sluice.decide.rule.Ruling;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.statement.Statement;
import io.sluice.testkit.Records;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the rules and the hints of clients apply to requests and connections. */
class ClientRulesTest extends ExchangeFixture {

  private static final String NOT_RAISED =
      "No rule of Sluice lets this statement have priority=high (raise)";
  private static final String UNKNOWN =
      "Sluice does not know this priority: it may be low, normal or high";

  private final ClientRules clientRules = new ClientRules(context);

  private void rules(Rule... all) {
    rules.change(List.of(all));
  }

  private static Rule rule(Object... changes) {
    return Records.with(rule(), changes);
  }

  /** Returns the statement of a request as the rules leave it. */
  private Statement applied(Frame frame) {
    Statement before = statement(frame);
    Statement after = clientRules.apply(unanswered(frame), before);
    frame.release();
    return after;
  }

  private Statement applied(String cql) {
    return applied(CqlCodec.query(4, cql));
  }

  private static Frame hinting(String cql, @Nullable String priority) {
    return priority == null
        ? CqlCodec.query(4, cql)
        : TestFrames.traced(
            4, new Query(cql), "sluice-priority", priority.getBytes(StandardCharsets.UTF_8));
  }

  private static Rule ruleOf(String kind) {
    return switch (kind) {
      case "weighted" -> rule("weight", 3.0);
      case "raising" -> rule("raise", 5.0);
      default -> rule();
    };
  }

  /** Describes a ruling by its tenant, its weight and its place. */
  private static String text(@Nullable Ruling ruling) {
    return ruling == null
        ? "no ruling"
        : ruling.rule()
            + (ruling.tenant() == null ? "" : " " + ruling.tenant() + " " + ruling.weight())
            + (ruling.last() ? " last" : "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "       |          | no ruling                  |",
        "       | plain    | r                          |",
        "       | weighted | r etl by rule r 3.0        |",
        "       | raising  | r                          |",
        "normal |          | no ruling                  |",
        "normal | weighted | r etl by rule r 3.0        |",
        "low    |          | priority=low last          |",
        "low    | plain    | r last                     |",
        "low    | weighted | r etl by rule r 3.0 last   |",
        "high   |          | no ruling                    | raise",
        "high   | weighted | r etl by rule r 3.0          | raise",
        "high   | raising  | r etl raised by rule r 5.0 |",
        "best   |          | no ruling                    | unknown",
        "best   | weighted | r etl by rule r 3.0          | unknown",
      })
  void the_priority_that_a_read_requests_changes_the_ruling_of_its_rule(
      @Nullable String asked, @Nullable String rule, String ruling, @Nullable String warning) {
    client.proven = Identity.plain("etl", "secret");
    if (rule != null) {
      rules(ruleOf(rule));
    }
    Statement applied = applied(hinting(READ, asked));
    assertThat(text(applied.ruling())).isEqualTo(ruling);
    assertThat(applied.warnings())
        .isEqualTo(
            warning == null ? List.of() : List.of(warning.equals("raise") ? NOT_RAISED : UNKNOWN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "       |        |        | false",
        "low    |        |        | true",
        "       | low    |        | true",
        "       |        | low    | true",
        "normal | low    | low    | false",
        "low    | normal | normal | true",
        "       | normal | low    | false",
        "       | low    | normal | true",
      })
  void the_most_specific_hint_counts_of_request_text_and_connection(
      @Nullable String payload, @Nullable String comment, @Nullable String name, boolean last) {
    client.application = name == null ? "report" : "report sluice:priority=" + name;
    String cql = comment == null ? READ : "/* sluice: priority=" + comment + " */ " + READ;
    assertThat(applied(hinting(cql, payload)).isLast()).isEqualTo(last);
  }

  @ParameterizedTest
  @ValueSource(strings = {WRITE, "TRUNCATE ks.t", "SELECT key FROM system.local"})
  void a_hint_changes_nothing_but_reads_of_tables(String cql) {
    Statement applied = applied(hinting(cql, "low"));
    assertThat(applied.ruling()).isNull();
    assertThat(applied(hinting(cql, "best")).warnings()).isEmpty();
  }

  private void mode(Mode mode) {
    scheduling(SchedulingConfig.defaults().in(mode));
  }

  private long matched() {
    return rules.facts().get(0).matched();
  }

  @ParameterizedTest
  @CsvSource({"ENFORCE, 1, true", "OBSERVE, 1, false", "PASSTHROUGH, 0, false"})
  void a_rule_counts_unless_requests_only_pass_and_changes_them_only_when_enforced(
      Mode mode, int matched, boolean changed) {
    mode(mode);
    rules(rule("action", Action.WARN, "message", "ask ops"));
    Statement applied = applied(hinting(READ, "best"));
    assertThat(matched()).isEqualTo(matched);
    assertThat(applied.ruling() != null).isEqualTo(changed);
    assertThat(applied.warnings()).hasSize(changed ? 2 : 0);
  }

  @Test
  void a_prepare_is_not_under_a_rule() {
    rules(rule("action", Action.REFUSE));
    assertThat(applied(CqlCodec.prepare(4, READ, null)).ruling()).isNull();
    assertThat(matched()).isZero();
  }

  @Test
  void a_statement_that_no_rule_matches_is_unchanged() {
    Rule.Match writes =
        new Rule.Match(
            null, null, null, null, null, null, List.of(RuleClass.WRITE), null, null, null);
    rules(rule("match", writes));
    assertThat(applied(READ).ruling()).isNull();
    assertThat(text(applied(WRITE).ruling())).isEqualTo("r");
    assertThat(matched()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"99, false", "100, true"})
  void a_wait_for_the_limits_of_a_rule_is_a_warning_from_a_tenth_of_a_second_on(
      long millis, boolean warned) {
    rules(rule());
    Statement statement = applied(READ);
    long waited = TimeUnit.MILLISECONDS.toNanos(millis);
    assertThat(ClientRules.warnings(client, statement, waited, lane.nanoTime()))
        .hasSize(warned ? 1 : 0);
    assertThat(ClientRules.warnings(client, statement, waited, lane.nanoTime()))
        .as("the next one at once")
        .isEmpty();
    rules();
    assertThat(ClientRules.warnings(client, applied(READ), waited, lane.nanoTime()))
        .as("without a rule")
        .isEmpty();
  }

  @Test
  void a_rule_warns_on_the_first_page_only() {
    rules(rule("action", Action.WARN, "message", "ask ops"));
    assertThat(applied(TestFrames.page(SCAN, 10, null)).warnings())
        .containsExactly("Rule r: ask ops");
    Statement next = applied(TestFrames.page(SCAN, 10, ByteBuffer.wrap(new byte[4])));
    assertThat(next.warnings()).isEmpty();
    assertThat(text(next.ruling())).isEqualTo("r");
  }

  @Test
  void an_explained_statement_goes_to_the_data_centre_of_its_rule_and_counts_nothing() {
    rules(
        rule("action", Action.WARN, "message", "ask ops", "timeout", Duration.ofSeconds(1))
            .to("dc2"));
    Statement applied = applied("EXPLAIN " + READ);
    Ruling ruling = Objects.requireNonNull(applied.ruling());
    assertThat(ruling.datacenter()).isEqualTo("dc2");
    assertThat(applied.warnings()).isEmpty();
    assertThat(ruling.timeoutNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(matched()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OBSERVE", "PASSTHROUGH"})
  void an_explained_statement_is_under_no_rule_unless_rules_are_enforced(Mode mode) {
    rules(rule().to("dc2"));
    mode(mode);
    assertThat(applied("EXPLAIN " + READ).ruling()).isNull();
  }

  @Test
  void an_explained_statement_without_a_rule_is_unchanged() {
    assertThat(applied("EXPLAIN " + READ).ruling()).isNull();
    rules(rule("match", role("other")).to("dc2"));
    assertThat(applied("EXPLAIN " + READ).ruling()).isNull();
  }

  private static Rule.Match role(String role) {
    return new Rule.Match(List.of(role), null, null, null, null, null, null, null, null, null);
  }

  @Test
  void the_rule_of_a_statement_is_described_without_being_counted() {
    assertThat(clientRules.explain(client, statementOf(READ))).isNull();
    rules(rule("weight", 2.0));
    assertThat(clientRules.explain(client, statementOf(READ))).startsWith("r (");
    assertThat(clientRules.explain(client, statementOf("USE ks"))).isNull();
    assertThat(matched()).isZero();
  }

  private Statement statementOf(String cql) {
    Frame frame = CqlCodec.query(4, cql);
    Statement statement = statement(frame);
    frame.release();
    return statement;
  }

  @Test
  void rules_compare_the_role_the_application_the_driver_and_the_address_of_a_client() {
    client.proven = Identity.plain("etl", "secret");
    client.application = "report";
    rules(
        rule(
            "match",
            new Rule.Match(
                List.of("etl"),
                null,
                null,
                List.of("report"),
                List.of("a driver"),
                List.of(client.address().getAddress().getHostAddress()),
                null,
                null,
                null,
                null)));
    assertThat(text(applied(READ).ruling())).isEqualTo("r");
    client.proven = Identity.plain("other", "secret");
    assertThat(text(applied(READ).ruling())).as("the note of the connection").isEqualTo("r");
    assertThat(clientRules.connect(client)).isNull();
    assertThat(applied(READ).ruling()).as("after another login").isNull();
  }

  private static Rule oneConnection() {
    return rule("limits", new Rule.Limits(null, null, null, 1, null), "message", "ask ops");
  }

  private double used() {
    return rules.facts().get(0).limits().get(0).used();
  }

  private int refusedByRule() {
    return registry.find("sluice.rule.refused").tag("limit", "connections").counters().stream()
        .mapToInt(counter -> (int) counter.count())
        .sum();
  }

  @Test
  void a_client_over_the_limit_of_connections_is_refused_and_counted() {
    rules(oneConnection());
    TestClient second = new TestClient(4, lane).numbered(2);
    assertThat(clientRules.connect(client)).isNull();
    assertThat(refusedByRule()).isZero();
    assertThat(clientRules.connect(second))
        .isEqualTo("Rule r: as many connections are open as limits.connections allows; ask ops");
    assertThat(refusedByRule()).isEqualTo(1);
    assertThat(used()).isEqualTo(1);

    clientRules.gone(second);
    assertThat(used()).as("after a refused client has gone").isEqualTo(1);
    clientRules.gone(client);
    assertThat(used()).isZero();
    assertThat(clientRules.connect(second)).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OBSERVE", "PASSTHROUGH"})
  void clients_are_counted_and_not_refused_unless_rules_are_enforced(Mode mode) {
    rules(oneConnection());
    mode(mode);
    assertThat(clientRules.connect(client)).isNull();
    assertThat(clientRules.connect(new TestClient(4, lane).numbered(2))).isNull();
    assertThat(used()).isEqualTo(2);
    assertThat(refusedByRule()).isZero();
  }

  @Test
  void a_client_is_known_to_the_rules_from_its_login_on() {
    assertThat(clientRules.connect(client)).isNull();
    assertThat(client.note()).isInstanceOf(RuleSession.class);
    Object note = client.note();
    applied(READ);
    assertThat(client.note()).isSameAs(note);
    clientRules.gone(new TestClient(4, lane));
  }
}
