package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.console.LiveConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests passthrough mode, also after a change of mode: requests are forwarded unchanged. */
class PassthroughTest {

  private static final String ALL = "SELECT k FROM ks.t";
  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);

  private final PathFixture fixture = new PathFixture(4, SPLIT);
  private final FakeTable table = new FakeTable(400, 10);

  /** The statements and payloads that nodes have received. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private final List<Map<String, String>> payloads = new CopyOnWriteArrayList<>();

  @BeforeEach
  void note() {
    fixture.allDo(
        request -> {
          if (CqlRequest.of(request) instanceof CqlRequest.Query query) {
            asked.add(query.cql());
          }
          payloads.add(TestFrames.payload(request));
          return table.answer(request);
        });
  }

  @AfterEach
  void nothing_is_left() {
    assertThat(fixture.buffered()).isZero();
    assertThat(fixture.slotsHeld()).isZero();
    fixture.close();
  }

  private void mode(Mode mode) throws InterruptedException {
    ExchangeConfig from = fixture.host.next.exchange();
    fixture.host.next =
        new LiveConfig(
            new ExchangeConfig(
                from.requestTimeout(),
                TestScheduling.mode(mode),
                from.connectTimeout(),
                from.hints(),
                from.advertise(),
                from.peers()),
            List.of());
    Frame change =
        CqlCodec.query(
            4, "UPDATE system_proxy.settings SET value = 'x' WHERE key = 'scheduling.mode'");
    assertThat(fixture.ask(change).answer()).startsWith("opcode");
  }

  private TestRows.Read page(int size, @Nullable ByteBuffer state) throws InterruptedException {
    QueryOptions options =
        new QueryOptions(
            1, List.of(), Map.of(), false, size, state, 8, Long.MIN_VALUE, null, Integer.MIN_VALUE);
    return fixture.ask(TestFrames.request(4, 0, new Query(ALL, options))).page();
  }

  @Test
  void a_scan_is_one_unchanged_request() throws InterruptedException {
    mode(Mode.PASSTHROUGH);

    assertThat(page(-1, null).keys()).isEqualTo(table.keys());

    assertThat(asked).containsExactly(ALL);
    assertThat(fixture.heard()).isOne();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"ENFORCE", "OBSERVE"})
  void in_other_modes_a_scan_is_cut_into_pieces(Mode mode) throws InterruptedException {
    mode(Mode.PASSTHROUGH);
    mode(mode);

    assertThat(page(-1, null).keys()).isEqualTo(table.keys());

    assertThat(asked).hasSizeGreaterThan(1).doesNotContain(ALL);
  }

  /** Nodes do not know the paging state of the proxy. */
  @Test
  void a_scan_that_began_in_pieces_is_read_to_its_end() throws InterruptedException {
    TestRows.Read first = page(7, null);
    List<Integer> got = new ArrayList<>(first.keys());
    mode(Mode.PASSTHROUGH);

    ByteBuffer state = first.pagingState();
    while (state != null) {
      TestRows.Read next = page(7, state);
      got.addAll(next.keys());
      state = next.pagingState();
    }

    assertThat(got).isEqualTo(table.keys());
    assertThat(asked).doesNotContain(ALL);
  }

  @Test
  void agents_get_no_hints() throws InterruptedException {
    for (int node = 0; node < 4; node++) {
      fixture.view.hasAgent(node);
    }
    mode(Mode.PASSTHROUGH);
    page(-1, null);
    assertThat(payloads).containsExactly(Map.of());

    mode(Mode.ENFORCE);
    page(-1, null);
    assertThat(payloads.subList(1, payloads.size()))
        .isNotEmpty()
        .allSatisfy(payload -> assertThat(payload).containsKey("sluice"));
  }

  @Test
  void explain_shows_a_whole_read() throws InterruptedException {
    mode(Mode.PASSTHROUGH);
    fixture.allDo(
        request ->
            request.opcode() == Opcode.PREPARE
                ? TestFrames.prepared(4, TestFrames.id("explained"))
                : new TestRows("k int").frame());

    TestRows.Read plan = fixture.ask(CqlCodec.query(4, "EXPLAIN " + ALL)).page();

    List<String> cells = new ArrayList<>();
    for (List<ByteBuffer> row : plan.cells()) {
      row.forEach(cell -> cells.add(StandardCharsets.UTF_8.decode(cell.duplicate()).toString()));
    }
    assertThat(cells).anyMatch(cell -> cell.contains("whole, not split"));
    assertThat(cells).noneMatch(cell -> cell.startsWith("piece") || cell.equals("split"));
  }
}
