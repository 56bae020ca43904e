package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientFacts;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.LogLine;
import io.sluice.console.HostView.Setting;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.console.ProcessTables.LinkFact;
import io.sluice.console.ProcessTables.ProxyFact;
import io.sluice.link.LinkFacts;
import io.sluice.statement.PreparedCache.PreparedFacts;
import io.sluice.time.TestLane;
import io.sluice.wire.PreparedId;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the rows of the tables about the process: its connections, settings and log. */
class ProcessRowsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final InetSocketAddress A = new InetSocketAddress("10.0.0.1", 9042);
  private static final InetSocketAddress B = new InetSocketAddress("10.0.0.2", 9042);

  private static Asker asker(@Nullable String role, boolean operator) {
    return new Asker("x", role, new TestLane(), null, operator);
  }

  private static ClientFacts client(ClientFacts.@Nullable Encryption tls) {
    return new ClientFacts(
        7,
        new InetSocketAddress("10.0.0.5", 50_000),
        "etl",
        new ClientFacts.Driver("java", "4.19", "nightly"),
        5,
        "lz4",
        "ks",
        3,
        100,
        20,
        tls,
        NOON);
  }

  @Test
  void a_client_shows_its_driver_its_load_and_its_encryption() {
    assertThat(
            ProcessTables.CLIENTS
                .table(List.of(client(new ClientFacts.Encryption("TLSv1.3", "AES"))))
                .json())
        .isEqualTo(
            ConsoleTexts.json(
                "address: '10.0.0.5'",
                "port: 50000",
                "application: 'nightly'",
                "compression: 'lz4'",
                "driver_name: 'java'",
                "driver_version: '4.19'",
                "held_bytes: 100",
                "id: 7",
                "in_flight: 3",
                "keyspace_name: 'ks'",
                "protocol_version: 5",
                "role: 'etl'",
                "since: '2026-03-01 12:00:00.000Z'",
                "tls: 'TLSv1.3'",
                "tls_cipher: 'AES'",
                "unread_bytes: 20"));
  }

  @Test
  void a_client_without_tls_has_none_and_no_cipher() {
    assertThat(ProcessTables.CLIENTS.table(List.of(client(null))).json())
        .contains("\"tls\":\"none\",\"tls_cipher\":null");
  }

  private static LinkFacts link(String role, long openNanos) {
    return new LinkFacts(A, role, "ks", 4, 1, LinkFacts.State.OPEN, 6, openNanos);
  }

  @Test
  void a_link_shows_its_place_among_all_links_and_since_when_it_is_open() {
    List<LinkFact> seen =
        ProcessTables.links(
            List.of(link("bob", 0), link("etl", 5_000_000_000L)), asker("etl", false), NOON);
    assertThat(ProcessTables.LINKS.table(seen).json())
        .isEqualTo(
            ConsoleTexts.json(
                "node: '10.0.0.1:9042'",
                "link: 1",
                "in_flight: 6",
                "keyspace_name: 'ks'",
                "lane: 1",
                "protocol_version: 4",
                "role: 'etl'",
                "since: '2026-03-01 11:59:55.000Z'",
                "state: 'open'"));
  }

  @Test
  void a_link_that_is_not_open_yet_is_open_since_no_time() {
    assertThat(ProcessTables.links(List.of(link("etl", -1)), asker(null, true), NOON))
        .containsExactly(new LinkFact(0, link("etl", -1), null));
    assertThat(ProcessTables.links(List.of(link("etl", 0)), asker(null, true), NOON))
        .containsExactly(new LinkFact(0, link("etl", 0), NOON));
  }

  @Test
  void an_operator_sees_all_links_and_another_role_its_own() {
    List<LinkFacts> all = List.of(link("bob", 0), link("etl", 0));
    assertThat(ProcessTables.links(all, asker("ops", true), NOON)).hasSize(2);
    assertThat(ProcessTables.links(all, asker("bob", false), NOON)).hasSize(1);
    assertThat(ProcessTables.links(all, asker("ops", false), NOON)).isEmpty();
    assertThat(ProcessTables.links(all, asker(null, false), NOON)).isEmpty();
  }

  @Test
  void a_prepared_statement_shows_its_text_without_literals() {
    PreparedFacts facts =
        new PreparedFacts(
            PreparedId.of("x"), "ks", 0xABC, "SELECT v FROM t WHERE k = ? AND c = 'secret'");
    assertThat(
            ProcessTables.PREPARED.table(ProcessTables.prepared(List.of(facts), List.of())).json())
        .isEqualTo(
            ConsoleTexts.json(
                "id: '" + facts.id() + "'",
                "calls: 0",
                "digest: '0000000000000abc'",
                "keyspace_name: 'ks'",
                "text: 'SELECT v FROM t WHERE k = ? AND c = ?'"));
  }

  @Test
  void a_digest_has_sixteen_digits() {
    assertThat(ProcessTables.digest(-1)).isEqualTo("ffffffffffffffff");
    assertThat(ProcessTables.digest(0)).isEqualTo("0000000000000000");
  }

  @Test
  void the_proxy_itself_comes_first_by_the_address_that_it_advertises() {
    assertThat(ProcessTables.proxies(A, B, List.of(B)))
        .containsExactly(new ProxyFact(A, true), new ProxyFact(B, false));
    assertThat(ProcessTables.proxies(null, B, List.of(A)))
        .as("without one, by that which the client uses")
        .containsExactly(new ProxyFact(B, true), new ProxyFact(A, false));
  }

  @Test
  void the_proxy_itself_is_not_its_own_peer() {
    assertThat(ProcessTables.proxies(A, null, List.of(B, A)))
        .containsExactly(new ProxyFact(A, true), new ProxyFact(B, false));
  }

  @Test
  void a_proxy_that_knows_no_own_address_shows_only_its_peers() {
    assertThat(ProcessTables.proxies(null, null, List.of(B)))
        .containsExactly(new ProxyFact(B, false));
    assertThat(ProcessTables.PROXIES.table(List.of(new ProxyFact(B, false))).json())
        .isEqualTo(ConsoleTexts.json("proxy: '10.0.0.2:9042'", "self: false"));
  }

  @Test
  void a_setting_shows_its_value_and_that_after_a_restart() {
    Setting setting = new Setting("cql.port", "9042", "9043", Source.FILE, Changes.RESTART);
    assertThat(ProcessTables.SETTINGS.table(List.of(setting.withAfterRestart("9044"))).json())
        .isEqualTo(
            ConsoleTexts.json(
                "key: 'cql.port'",
                "after_restart: '9044'",
                "changed_by: null",
                "changes: 'restart'",
                "default_value: '9043'",
                "source: 'file'",
                "value: '9042'"));
    assertThat(setting.afterRestart()).isNull();
  }

  @Test
  void the_configuration_shows_the_outcome_of_its_last_reading() {
    Configuration now =
        new Configuration(
            "/a.yml", Configuration.State.REFUSED, NOON, NOON, "SIGHUP", "line 3", "a", "b", 2, 1);
    assertThat(ProcessTables.CONFIGURATION.table(List.of(now)).json())
        .isEqualTo(
            ConsoleTexts.json(
                "file: '/a.yml'",
                "changed: 'a'",
                "error: 'line 3'",
                "pending: 'b'",
                "read_at: '2026-03-01 12:00:00.000Z'",
                "read_for: 'SIGHUP'",
                "refused: 1",
                "reloads: 2",
                "since: '2026-03-01 12:00:00.000Z'",
                "state: 'refused'"));
  }

  @Test
  void a_line_of_the_log_has_a_number() {
    assertThat(
            ProcessTables.LOG.table(List.of(new LogLine(5, NOON, "WARN", "Journal", "x"))).json())
        .isEqualTo(
            ConsoleTexts.json(
                "line: 5",
                "level: 'WARN'",
                "source: 'Journal'",
                "text: 'x'",
                "time: '2026-03-01 12:00:00.000Z'"));
  }

  /** An example of a host is a proxy inside another program. */
  @Test
  void a_host_without_a_configuration_file_refuses_changes() {
    List<String> refusals = new ArrayList<>();
    HostView.NONE.reload("ops", refusals::add);
    assertThat(refusals).containsExactly("This process has no configuration file");
    assertThat(HostView.NONE.change("a", "b", "ops", next -> refusals.add("changed")))
        .isEqualTo("The settings of this process cannot change while it runs");
    assertThat(refusals).hasSize(1);
    HostView.NONE.change("a", "b", "ops", next -> refusals.add("changed"), refusals::add);
    assertThat(refusals)
        .last()
        .isEqualTo("The settings of this process cannot change while it runs");
    assertThat(HostView.NONE.settings()).isEmpty();
    assertThat(HostView.NONE.configuration()).isEmpty();
    assertThat(HostView.NONE.log()).isEmpty();
  }
}
