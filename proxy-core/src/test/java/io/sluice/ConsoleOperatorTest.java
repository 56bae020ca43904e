package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.wire.TestRows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the console for operators without a CQL connection: tables as JSON, and the end of
 * requests.
 */
class ConsoleOperatorTest {

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private JsonNode table(String name) throws JsonProcessingException {
    return select("SELECT * FROM system_proxy." + name);
  }

  private JsonNode select(String cql) throws JsonProcessingException {
    CompletableFuture<String> json = new CompletableFuture<>();
    fixture.console.json(cql, fixture.lane, json::complete);
    return new ObjectMapper().readTree(json.join());
  }

  private boolean end(long id) {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    fixture.console.end(id, "the admin port, from 10.0.0.1", fixture.lane, ended::complete);
    return ended.join();
  }

  @Test
  void every_table_is_an_array_of_objects() throws Exception {
    TestRows.Read described = fixture.ask(query("DESCRIBE KEYSPACE system_proxy")).page();
    List<String> names =
        described.cells().stream()
            .skip(1)
            .map(row -> StandardCharsets.UTF_8.decode(row.get(2).duplicate()).toString())
            .toList();
    assertThat(names).contains("nodes", "requests", "settings");
    for (String name : names) {
      assertThat(table(name).isArray()).as(name).isTrue();
    }
    assertThat(table("nodes")).hasSize(2);
    assertThat(table("nodes").get(0).get("state").asText()).isEqualTo("normal");
    assertThat(table("settings").get(0).get("key").asText()).isEqualTo("cql.port");
  }

  @Test
  void a_select_may_have_columns_order_and_limit() throws Exception {
    JsonNode last =
        select(
            "SELECT node, class FROM system_proxy.queues ORDER BY class DESC, node DESC LIMIT 1");
    JsonNode all = table("queues");
    assertThat(last).hasSize(1);
    assertThat(last.get(0)).hasSize(2);
    assertThat(last.get(0).get("class").asText()).isEqualTo("range");
    assertThat(all).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM system_proxy.none",
        "SELECT none FROM system_proxy.nodes",
        "DELETE FROM system_proxy.requests WHERE id = 1",
        "nonsense"
      })
  void an_invalid_select_is_an_error_of_the_caller(String cql) {
    assertThatThrownBy(() -> fixture.console.json(cql, fixture.lane, json -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void requests_of_all_roles_are_shown_and_can_be_ended() throws Exception {
    fixture.allDo(request -> null);
    PathFixture.Asked read = fixture.ask(TestRequests.read());
    Awaitility.await().until(() -> fixture.slotsHeld() == 1);

    JsonNode shown = table("requests");
    assertThat(shown).hasSize(1);
    assertThat(shown.get(0).get("table_name").asText()).isEqualTo("t");
    assertThat(shown.get(0).get("rows_wanted").isNull()).isTrue();

    assertThat(end(shown.get(0).get("id").asLong())).isTrue();
    assertThat(read.answer()).isEqualTo("2200");
    assertThat(read.words).contains("ended by the admin port, from 10.0.0.1");
    assertThat(table("requests")).isEmpty();
    assertThat(fixture.slotsHeld()).isZero();
  }

  @Test
  void a_request_that_has_ended_cannot_be_ended() {
    assertThat(end(1)).isFalse();
  }

  @Test
  void an_operator_has_no_address_of_the_proxy() throws Exception {
    assertThat(table("proxies")).isEmpty();
  }
}
