package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.LiveConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the table {@code system_proxy.shadow} on the whole path. */
class ShadowTableTest {

  private final PathFixture fixture = new PathFixture(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void observe() throws InterruptedException {
    ExchangeConfig from = fixture.host.next.exchange();
    ExchangeConfig observing =
        new ExchangeConfig(
            from.requestTimeout(),
            TestScheduling.mode(Mode.OBSERVE),
            from.connectTimeout(),
            from.hints(),
            from.advertise(),
            from.peers());
    fixture.host.next = new LiveConfig(observing, List.of());
    ask("UPDATE system_proxy.settings SET value = 'observe' WHERE key = 'scheduling.mode'");
  }

  private PathFixture.Asked ask(String cql) throws InterruptedException {
    PathFixture.Asked asked = fixture.ask(CqlCodec.query(4, cql));
    return asked;
  }

  private List<List<ByteBuffer>> rows() throws InterruptedException {
    fixture.shadow.run();
    TestRows.Read page =
        ask("SELECT node, class, reads, now_p99_ms, estimated_p99_ms, estimated_refused"
                + " FROM system_proxy.shadow WHERE class = 'point'")
            .page();
    return page.cells();
  }

  @Test
  void the_table_is_empty_in_other_modes() throws InterruptedException {
    fixture.allDo(new FakeTable(10, 1));
    ask("SELECT k FROM ks.t WHERE k = 1").answer();
    assertThat(rows()).isEmpty();
  }

  @Test
  void the_table_shows_actual_and_predicted_times() throws InterruptedException {
    observe();
    fixture.allDo(
        request -> {
          try {
            TimeUnit.MILLISECONDS.sleep(20);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new FakeTable(10, 1).answer(request);
        });
    for (int i = 0; i < 3; i++) {
      ask("SELECT k FROM ks.t WHERE k = 1").answer();
    }

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              List<List<ByteBuffer>> rows = rows();
              assertThat(rows).hasSize(2);
              for (List<ByteBuffer> row : rows) {
                assertThat(row.get(2).getLong(0)).isEqualTo(3);
                assertThat(row.get(3).getDouble(0)).isGreaterThan(15);
                assertThat(row.get(4).getDouble(0)).isPositive();
                assertThat(row.get(5).getLong(0)).isZero();
              }
              assertThat(StandardCharsets.UTF_8.decode(rows.get(1).get(0).duplicate()).toString())
                  .isEqualTo("all");
            });
  }
}
