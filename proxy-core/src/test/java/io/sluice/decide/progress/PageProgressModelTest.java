package io.sluice.decide.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.progress.PageProgress.PageGoal;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares random pages of a table of tokens 1 to 100 with a model that keeps all pieces in ring
 * order. Nodes return a part of the requested rows, in any order, or time out.
 */
class PageProgressModelTest {

  private static final int ALL = SubRequest.ALL;
  private static final int LAST = 100;
  private static final int MAX_PIECES = 4;
  private static final int PAGES = 300;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, PAGES);
  }

  private static TokenRange range(long after, long upTo) {
    return new TokenRange(new Token.Murmur3(after), new Token.Murmur3(upTo));
  }

  /** A piece in the model, with the tokens of its rows. */
  private static final class Known {
    final int number;
    final long after;
    long upTo;
    List<Long> rows;
    int returned;
    boolean ended;
    boolean begun;
    boolean lastTry;
    boolean worthless;
    int timeouts;

    Known(int number, long after, long upTo, List<Long> rows) {
      this.number = number;
      this.after = after;
      this.upTo = upTo;
      this.rows = rows;
    }
  }

  /** A page and its model. */
  private static final class Run {
    final SplittableRandom random;
    final List<Long> table = new ArrayList<>();
    final List<Known> pieces = new ArrayList<>();
    final int rows;
    final PageProgress page;
    int missingAtWave;
    int firstOfWave;
    boolean failed;

    Run(long seed) {
      random = new SplittableRandom(seed);
      for (long token = 1; token <= LAST; token++) {
        for (int i = random.nextInt(4); i > 0; i--) {
          table.add(token);
        }
      }
      rows = random.nextInt(4) == 0 ? ALL : 1 + random.nextInt(table.size() + 20);
      Token minimum = new Token.Murmur3(Long.MIN_VALUE);
      page =
          new PageProgress(
              new PageGoal(range(0, LAST), minimum, rows, table.size(), true, false),
              MAX_PIECES,
              request -> 1);
    }

    List<Known> inRingOrder() {
      return pieces.stream().sorted(Comparator.comparingLong(each -> each.after)).toList();
    }

    List<Known> open() {
      return inRingOrder().stream().filter(each -> !each.ended).toList();
    }

    /** Returns the rows from the beginning up to the first gap. */
    List<Long> inSequence() {
      List<Long> found = new ArrayList<>();
      for (Known each : inRingOrder()) {
        found.addAll(each.rows.subList(0, each.returned));
        if (!each.ended) {
          break;
        }
      }
      return found;
    }

    List<SubRequest> next(int most) {
      List<SubRequest> requests = new ArrayList<>();
      long after = pieces.stream().mapToLong(each -> each.upTo).max().orElse(0);
      for (int i = 1 + random.nextInt(most); i > 0 && after < LAST; i--) {
        long upTo = Math.min(LAST, after + 1 + random.nextInt(20));
        int planned = rows == ALL ? ALL : 1 + random.nextInt(rows);
        requests.add(new SubRequest(new Piece(range(after, upTo), List.of(), 1), planned));
        long from = after;
        pieces.add(
            new Known(
                pieces.size(),
                from,
                upTo,
                table.stream().filter(token -> token > from && token <= upTo).toList()));
        after = upTo;
      }
      return requests;
    }

    void send() {
      missingAtWave = page.missing();
      firstOfWave = pieces.size();
      int first = pieces.size();
      assertThat(page.send(missingAtWave, next(MAX_PIECES)))
          .isEqualTo(IntStream.range(first, pieces.size()).boxed().toList());
    }

    void answer(Known piece) {
      int worth = page.rowsAtDispatch(piece.number);
      if (!piece.begun && rows != ALL) {
        int planned = page.request(piece.number).rows();
        assertThat(worth).isEqualTo(Math.max(0, Math.min(planned, missingAtWave - before(piece))));
        if (worth == 0) {
          piece.worthless = true;
          return;
        }
      }
      int left = piece.rows.size() - piece.returned;
      int asked = rows == ALL ? 1 + random.nextInt(10) : Math.max(1, Math.min(worth, 10));
      int given = Math.min(left, asked);
      piece.returned += given;
      piece.begun = true;
      piece.ended = given == left;
      piece.timeouts = 0;
      piece.lastTry = false;
      page.returned(piece.number, given, piece.ended);
    }

    /** Returns the rows that earlier pieces of this wave have returned. */
    private int before(Known piece) {
      return inRingOrder().stream()
          .filter(each -> each.number >= firstOfWave && each.after < piece.after)
          .mapToInt(each -> each.returned)
          .sum();
    }

    void timeOut(Known piece) {
      piece.timeouts++;
      AfterTimeout then = page.timedOut(piece.number);
      boolean small = piece.upTo - piece.after < 2;
      if (piece.lastTry || (piece.timeouts > 1 && (piece.begun || small))) {
        assertThat(then).isEqualTo(new AfterTimeout.GiveUp());
        failed = true;
      } else if (piece.timeouts == 1) {
        assertThat(then).isEqualTo(new AfterTimeout.AskAgain());
      } else {
        assertThat(then).isInstanceOf(AfterTimeout.AskHalves.class);
        cut(piece, (AfterTimeout.AskHalves) then);
      }
    }

    private void cut(Known piece, AfterTimeout.AskHalves halves) {
      long middle = ((Token.Murmur3) halves.middle()).value();
      assertThat(middle).isStrictlyBetween(piece.after, piece.upTo);
      assertThat(halves.second()).isEqualTo(pieces.size());
      assertThat(page.request(piece.number).piece().range()).isEqualTo(range(piece.after, middle));
      assertThat(page.request(halves.second()).piece().range())
          .isEqualTo(range(middle, piece.upTo));
      Known second =
          new Known(
              halves.second(),
              middle,
              piece.upTo,
              piece.rows.stream().filter(token -> token > middle).toList());
      piece.rows = piece.rows.stream().filter(token -> token <= middle).toList();
      piece.upTo = middle;
      piece.lastTry = true;
      second.lastTry = true;
      pieces.add(second);
    }

    void compare() {
      int inSequence = inSequence().size();
      assertThat(page.missing()).isEqualTo(rows == ALL ? ALL : Math.max(0, rows - inSequence));
      assertThat(page.isFull()).isEqualTo(rows != ALL && inSequence >= rows);
      assertThat(page.openPieces()).isEqualTo(open().size());
      assertThat(page.ended()).isEqualTo(pieces.size() - open().size());
      for (Known each : open()) {
        assertThat(page.isNext(each.number)).isEqualTo(each == open().get(0));
      }
      boolean named = pieces.stream().anyMatch(each -> each.upTo == LAST);
      assertThat(page.coversRange()).isEqualTo(named);
      boolean adds = rows == ALL && !named && open().size() <= MAX_PIECES / 2;
      assertThat(page.room()).isEqualTo(adds ? MAX_PIECES - open().size() : 0);
    }

    void toTheEnd() {
      send();
      while (!failed) {
        compare();
        List<Known> askable = open().stream().filter(each -> !each.worthless).toList();
        if (page.isFull() || (askable.isEmpty() && page.coversRange())) {
          return;
        }
        if (page.room() > 0 && random.nextBoolean()) {
          page.add(next(page.room()));
        } else if (askable.isEmpty()) {
          assertThat(open())
              .as("open pieces that are asked for no rows while rows are missing")
              .isEmpty();
          send();
        } else {
          Known piece = askable.get(random.nextInt(askable.size()));
          if (random.nextInt(8) == 0) {
            timeOut(piece);
          } else {
            answer(piece);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_page_matches_the_model_and_ends_with_the_first_rows_of_the_table(long seed) {
    Run run = new Run(seed);

    run.toTheEnd();

    if (!run.failed) {
      int wanted = run.rows == ALL ? run.table.size() : Math.min(run.rows, run.table.size());
      assertThat(run.inSequence().stream().limit(wanted).collect(Collectors.toList()))
          .isEqualTo(run.table.subList(0, wanted));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void no_page_is_retried_for_ever(long seed) {
    Run run = new Run(seed);
    run.send();
    Known piece = run.pieces.get(0);

    int timeouts = 0;
    while (!run.failed && timeouts < 4) {
      run.timeOut(piece);
      timeouts++;
    }

    assertThat(run.failed).isTrue();
    assertThat(timeouts).isLessThanOrEqualTo(3);
  }
}
