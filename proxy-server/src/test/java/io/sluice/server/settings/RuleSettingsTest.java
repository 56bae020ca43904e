package io.sluice.server.settings;

import static io.sluice.server.settings.SettingsText.faults;
import static io.sluice.server.settings.SettingsText.read;
import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules in a configuration file. */
class RuleSettingsTest {

  @Test
  void every_key_of_a_rule_is_read() throws Exception {
    List<Rule> rules =
        read(withCluster(
                """
                rules:
                  - name: reports
                    match:
                      role: [analytics, etl]
                      table: shop.events
                      application: spark*
                      address: 10.0.0.0/8
                      class: [range, point]
                      noLimit: true
                    limits: {rangeReads: 4, requestsPerSecond: 200, rowsPerSecond: 50000, maxWait: 2s}
                    weight: 0.3
                    action: queue-last
                    timeout: 3s
                    message: ask ops
                    cap: {limit: 1000, pageSize: 50}
                    raise: 2
                    datacenter: analytics
                  - match: {role: etl}
                    limits: {connections: 5}
                """))
            .rules();
    Rule first = rules.get(0);
    assertThat(first.name()).isEqualTo("reports");
    assertThat(first.match().role()).containsExactly("analytics", "etl");
    assertThat(first.match().table()).containsExactly("shop.events");
    assertThat(first.match().shapes()).containsExactly(RuleClass.RANGE, RuleClass.POINT);
    assertThat(first.match().noLimit()).isTrue();
    assertThat(first.limits())
        .isEqualTo(new Rule.Limits(4, 200, 50_000, null, Duration.ofSeconds(2)));
    assertThat(first.action()).isEqualTo(Rule.Action.QUEUE_LAST);
    assertThat(first.weight()).isEqualTo(0.3);
    assertThat(first.cap()).isEqualTo(new Rule.Cap(1000, 50));
    assertThat(first.raise()).isEqualTo(2);
    assertThat(first.datacenter()).isEqualTo("analytics");
    assertThat(rules.get(1).cap()).isEqualTo(Rule.Cap.NONE);
    assertThat(first.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(rules.get(1).limits().connections()).isEqualTo(5);
    assertThat(rules.get(1).limits().maxWait()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void what_is_wrong_with_rules_is_told_with_its_place() {
    assertThat(
            faults(
                withCluster(
                    """
                    rules:
                      - match: {rol: analytics}
                      - match: {class: ranges}
                      - match: {role: etl}
                        limits: {rangeReads: none}
                      - match: {address: localhost}
                      - match: {class: write}
                        limits: {rangeReads: 2}
                      - match: {role: a}
                        action: warn
                        cap: {rows: 5}
                    """)))
        .extracting(Fault::key)
        .containsExactlyInAnyOrder(
            "rules[0].match.rol",
            "rules[1].match.class[0]",
            "rules[2].limits.rangeReads",
            "rules[3].match.address",
            "rules[4].limits.rangeReads",
            "rules[5].cap.rows",
            "rules[5].message");
  }
}
