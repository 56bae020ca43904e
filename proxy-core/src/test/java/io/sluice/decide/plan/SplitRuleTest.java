package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlan.WaveResult;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SplitRuleTest {

  private static final SplitRule WAVES = rule(SplitConfig.Parallel.WAVES, 100);

  private static SplitRule rule(SplitConfig.Parallel parallel, int maxSubRequests) {
    return new SplitRule(new SplitConfig(parallel, 1000, 0, maxSubRequests, 1 << 20, false));
  }

  private static List<Piece> pieces(double... rows) {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      TokenRange range = new TokenRange(new Token.Murmur3(i), new Token.Murmur3(i + 1));
      pieces.add(new Piece(range, List.of(), rows[i]));
    }
    return pieces;
  }

  private static List<Integer> first(SplitRule rule, int wanted, double... rows) {
    return asked(rule.wave(pieces(rows), wanted, true, 0, WaveResult.NOTHING));
  }

  private static List<Integer> asked(List<SubRequest> wave) {
    return wave.stream().map(SubRequest::rows).toList();
  }

  @Test
  void in_paper_mode_a_wave_has_the_first_piece_and_enough_for_the_wanted_rows() {
    SplitRule paper = rule(SplitConfig.Parallel.PAPER, 100);
    assertThat(first(paper, 100, 50, 50, 50, 50)).containsExactly(100, 100, 100);
    assertThat(first(paper, 101, 50, 50, 50, 50)).containsExactly(101, 101, 101, 101);
    assertThat(first(paper, 10, 5000, 5000)).containsExactly(10, 10);
  }

  @Test
  void a_margin_covers_estimates_that_are_too_high() {
    assertThat(first(WAVES, 100, 50, 50, 50, 50)).hasSize(4);
    assertThat(first(WAVES, 97, 50, 50, 50, 50)).hasSize(3);
  }

  @Test
  void a_known_error_sets_the_margin() {
    assertThat(WAVES.wave(pieces(50, 50, 50, 50, 50), 97, true, 0.25, WaveResult.NOTHING))
        .hasSize(3);
    assertThat(WAVES.wave(pieces(50, 50, 50, 50, 50), 97, true, 0.01, WaveResult.NOTHING))
        .hasSize(2);
  }

  @Test
  void the_rows_of_the_first_piece_count_once_the_error_is_known() {
    assertThat(asked(WAVES.wave(pieces(50, 50, 50, 50), 120, true, 0.01, WaveResult.NOTHING)))
        .containsExactly(120, 120, 21);
  }

  @Test
  void only_the_last_piece_is_asked_for_fewer_rows_and_the_first_does_not_count() {
    assertThat(first(WAVES, 120, 50, 50, 50, 50)).containsExactly(120, 120, 120, 21);
    assertThat(first(WAVES, 20, 30, 30)).containsExactly(20, 20);
  }

  @Test
  void a_first_piece_with_twice_the_wanted_rows_goes_alone() {
    assertThat(first(WAVES, 10, 5000, 5000)).containsExactly(10);
    assertThat(first(WAVES, 10, 20, 20)).containsExactly(10);
    assertThat(first(WAVES, 10, 19, 20)).hasSize(2);
  }

  @Test
  void without_limit_a_wave_has_as_many_pieces_as_permitted() {
    assertThat(first(WAVES, SubRequest.ALL, 1, 2, 3)).containsOnly(SubRequest.ALL).hasSize(3);
    assertThat(first(rule(SplitConfig.Parallel.WAVES, 2), SubRequest.ALL, 1, 2, 3)).hasSize(2);
    assertThat(first(rule(SplitConfig.Parallel.PAPER, 2), SubRequest.ALL, 1, 2, 3)).hasSize(2);
  }

  @Test
  void a_wave_has_at_most_the_permitted_pieces() {
    assertThat(first(rule(SplitConfig.Parallel.WAVES, 2), 1000, 1, 1, 1)).hasSize(2);
    assertThat(first(rule(SplitConfig.Parallel.PAPER, 1), 1000, 1, 1, 1)).hasSize(1);
  }

  @Test
  void an_unknown_table_is_probed_with_one_piece() {
    List<Piece> pieces = pieces(0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(asked(WAVES.wave(pieces, 10, false, 0, WaveResult.NOTHING))).containsExactly(10);
  }

  @Test
  void the_result_of_a_probe_sizes_the_next_wave() {
    List<Piece> rest = pieces(50, 50, 50, 50, 50, 50);
    assertThat(asked(WAVES.wave(rest, 130, true, 0, new WaveResult(1, 0, 70)))).hasSize(3);
    assertThat(asked(WAVES.wave(rest, 130, false, 0, new WaveResult(1, 0, 70)))).hasSize(2);
  }

  @Test
  void a_later_wave_is_sized_by_the_rows_returned() {
    List<Piece> rest = pieces(50, 50, 50, 50, 50, 50);
    assertThat(asked(WAVES.wave(rest, 50, true, 0, new WaveResult(2, 100, 50))))
        .containsExactly(50, 50, 1);
    assertThat(WAVES.wave(rest, 50, true, 0, new WaveResult(2, 100, 200))).hasSize(1);
  }

  @Test
  void after_a_wave_without_rows_twice_as_many_pieces_go() {
    List<Piece> rest = pieces(50, 50, 50, 50, 50, 50, 50, 50);
    assertThat(asked(WAVES.wave(rest, 10, true, 0, new WaveResult(3, 150, 0)))).hasSize(6);
    assertThat(asked(WAVES.wave(rest, 10, false, 0, new WaveResult(4, 0, 0)))).hasSize(8);
  }

  @Test
  void without_pieces_a_wave_is_empty() {
    assertThat(first(WAVES, 10)).isEmpty();
    assertThat(first(rule(SplitConfig.Parallel.PAPER, 9), 10)).isEmpty();
    assertThat(WAVES.wave(pieces(), 10, true, 0, new WaveResult(1, 1, 1))).isEmpty();
  }

  @Test
  void rows_that_earlier_pieces_returned_are_not_asked_for() {
    SubRequest request = new SubRequest(pieces(50).get(0), 40);
    assertThat(request.rowsAtDispatch(100, 0)).isEqualTo(40);
    assertThat(request.rowsAtDispatch(100, 70)).isEqualTo(30);
    assertThat(request.rowsAtDispatch(100, 100)).isZero();
    assertThat(request.rowsAtDispatch(100, 5_000_000_000L)).isZero();
    SubRequest unlimited = new SubRequest(pieces(50).get(0), SubRequest.ALL);
    assertThat(unlimited.rowsAtDispatch(SubRequest.ALL, 70)).isEqualTo(SubRequest.ALL);
  }

  @Test
  void settings_out_of_range_are_refused() {
    assertThatThrownBy(() -> rule(SplitConfig.Parallel.WAVES, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SplitConfig(SplitConfig.Parallel.WAVES, 0, 0, 1, 1 << 20, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** With exact estimates one wave completes the read. */
  @Test
  void with_exact_estimates_one_wave_is_enough() {
    Random random = new Random(3);
    for (int round = 0; round < 20_000; round++) {
      double[] rows = random.ints(1 + random.nextInt(30), 0, 200).asDoubleStream().toArray();
      int wanted = 1 + random.nextInt(1500);
      List<SubRequest> wave = WAVES.wave(pieces(rows), wanted, true, 0, WaveResult.NOTHING);
      double got = 0;
      for (SubRequest request : wave) {
        got += Math.min(request.rows(), request.piece().rows());
      }
      boolean everything = wave.size() == rows.length;
      assertThat(got >= wanted || everything).as("%s of %s", wave, wanted).isTrue();
      if (got < wanted) {
        assertThat(got).isEqualTo(pieces(rows).stream().mapToDouble(Piece::rows).sum());
      }
    }
  }
}
