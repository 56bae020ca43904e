package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RangeCutterTest {

  private static final Token MINIMUM = new Token.Murmur3(Long.MIN_VALUE);
  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final NodeId C = new NodeId(new UUID(0, 3));

  private static final int MIN_ROWS = 128;

  private static Token token(long value) {
    return new Token.Murmur3(value);
  }

  private static TokenRange range(@Nullable Token after, @Nullable Token upTo) {
    return new TokenRange(after, upTo);
  }

  private static RangeCutter cutter(double partitions, double target, Object... endsAndOwners) {
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 0; i < endsAndOwners.length; i += 2) {
      ends.add(token((Integer) endsAndOwners[i]));
      owners.add(List.of((NodeId[]) endsAndOwners[i + 1]));
    }
    return new RangeCutter(
        new Ring.Replicas(ends, owners),
        MINIMUM,
        new EvenDensity(partitions, MINIMUM),
        target,
        MIN_ROWS,
        Double.POSITIVE_INFINITY);
  }

  private static NodeId[] by(NodeId... nodes) {
    return nodes;
  }

  @Test
  void pieces_end_where_owners_change() {
    RangeCutter cutter = cutter(1e30, 1e30, 0, by(A), 50, by(B), 100, by(C));
    assertThat(cutter.cut(TokenRange.ALL, 99))
        .extracting(piece -> piece.range() + " " + piece.replicas())
        .containsExactly(
            "],0] " + List.of(A),
            "]0,50] " + List.of(B),
            "]50,100] " + List.of(C),
            "]100,] " + List.of(A));
  }

  @Test
  void adjacent_ranges_of_one_owner_are_one_piece() {
    RangeCutter cutter = cutter(1e30, 1e30, 0, by(A), 10, by(B), 20, by(B), 30, by(A), 40, by(B));
    assertThat(cutter.cut(range(token(0), token(40)), 99))
        .extracting(piece -> piece.range().toString())
        .containsExactly("]0,20]", "]20,30]", "]30,40]");
  }

  @Test
  void ranges_with_the_same_owners_in_another_order_are_one_piece() {
    RangeCutter cutter = cutter(10, 100, 0, by(A, B), 10, by(B, A), 20, by(A, B));
    assertThat(cutter.cut(TokenRange.ALL, 99))
        .extracting(Piece::replicas)
        .containsExactly(List.of(A, B));
    assertThat(cutter.cut(range(token(0), null), 99))
        .extracting(Piece::replicas)
        .containsExactly(List.of(B, A));
  }

  @Test
  void a_large_range_is_cut_into_even_parts_of_the_target_size() {
    RangeCutter cutter = cutter(1000, 100, 0, by(A));
    List<Piece> pieces = cutter.cut(TokenRange.ALL, 99);
    assertThat(pieces).hasSize(10);
    assertThat(pieces).allSatisfy(piece -> assertThat(Math.round(piece.rows())).isEqualTo(200));
  }

  @Test
  void a_range_is_cut_further_into_pieces_of_at_least_so_many_rows() {
    Ring.Replicas owners = new Ring.Replicas(List.of(token(0)), List.of(List.of(A)));
    Density density = new EvenDensity(2_000, MINIMUM);
    RangeCutter cutter = new RangeCutter(owners, MINIMUM, density, 1_000, MIN_ROWS, 300);
    List<Piece> pieces = cutter.cut(TokenRange.ALL, 99);
    assertThat(pieces).hasSize(13);
    assertThat(pieces).allSatisfy(piece -> assertThat(piece.rows()).isBetween(300.0, 400.0));
  }

  @Test
  void pieces_of_an_unknown_table_are_shares_of_the_ring() {
    RangeCutter cutter =
        new RangeCutter(
            new Ring.Replicas(List.of(token(0)), List.of(List.of(A))),
            MINIMUM,
            Density.UNKNOWN,
            100,
            MIN_ROWS,
            Double.POSITIVE_INFINITY);
    assertThat(cutter.cut(TokenRange.ALL, 99)).hasSize(RangeCutter.UNKNOWN_PARTS);
    assertThat(cutter.cut(range(token(0), null), 99)).hasSize(RangeCutter.UNKNOWN_PARTS / 2);
  }

  @Test
  void a_small_table_is_one_piece_for_all_its_owners() {
    RangeCutter cutter = cutter(MIN_ROWS / 2.0, 1e30, 0, by(A), 50, by(B), 100, by(C));
    assertThat(cutter.cut(TokenRange.ALL, 99))
        .containsExactly(new Piece(TokenRange.ALL, List.of(A, B, C), MIN_ROWS));
    assertThat(cutter.count(TokenRange.ALL)).isEqualTo(1);
  }

  @Test
  void a_piece_that_spans_owners_names_the_owners_of_all_of_it_first() {
    RangeCutter cutter = cutter(1, 1, 0, by(A, B), 50, by(B, C), 100, by(C, B));
    assertThat(cutter.cut(TokenRange.ALL, 99))
        .extracting(Piece::replicas)
        .containsExactly(List.of(B, A, C));
  }

  @Test
  void adjacent_ranges_are_one_piece_until_they_have_enough_rows() {
    Object[] quarters = new Object[32];
    for (int i = 0; i < 16; i++) {
      quarters[2 * i] = -(1 << 30) + i * (1 << 27);
      quarters[2 * i + 1] = i % 2 == 0 ? by(A) : by(B);
    }
    TokenRange fifteen = range(token(-(1 << 30)), token(-(1 << 30) + 15 * (1 << 27)));
    double ring = MIN_ROWS / 8.0 / (1 << 27) * 0x1p64;
    assertThat(cutter(ring, 1e30, quarters).cut(fifteen, 99))
        .extracting(piece -> Math.round(4 * piece.rows() / MIN_ROWS))
        .containsExactly(4L, 4L, 4L, 3L);
  }

  @Test
  void a_small_range_next_to_a_large_one_is_a_separate_piece() {
    Density density =
        new Density() {
          @Override
          public boolean known() {
            return true;
          }

          @Override
          public double partitions(TokenRange range) {
            return rows(range);
          }

          @Override
          public double rows(TokenRange range) {
            return range.contains(token(60)) ? 1_000_000 : 1;
          }
        };
    RangeCutter cutter =
        new RangeCutter(
            new Ring.Replicas(
                List.of(token(0), token(50), token(100)),
                List.of(List.of(A), List.of(B), List.of(C))),
            MINIMUM,
            density,
            1e9,
            MIN_ROWS,
            Double.POSITIVE_INFINITY);
    assertThat(cutter.cut(TokenRange.ALL, 99))
        .extracting(piece -> piece.range().toString())
        .containsExactly("],50]", "]50,100]", "]100,]");
  }

  @Test
  void narrow_ranges_of_an_unknown_table_are_joined_up_to_a_share_of_the_ring() {
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      ends.add(token(Long.MIN_VALUE + (i + 1) * (1L << 58) - 1));
      owners.add(List.of(List.of(A, B, C).get(i % 3)));
    }
    RangeCutter cutter =
        new RangeCutter(
            new Ring.Replicas(ends, owners),
            MINIMUM,
            Density.UNKNOWN,
            100,
            MIN_ROWS,
            Double.POSITIVE_INFINITY);
    List<Piece> pieces = cutter.cut(TokenRange.ALL, 99);
    assertThat(pieces.size()).isBetween(RangeCutter.UNKNOWN_PARTS, RangeCutter.UNKNOWN_PARTS + 6);
    assertThat(pieces.get(0).replicas()).containsExactly(A, B, C);
  }

  @Test
  void no_more_pieces_are_cut_than_asked_for() {
    RangeCutter cutter = cutter(1e12, 1, 0, by(A));
    List<Piece> pieces = cutter.cut(TokenRange.ALL, 3);
    assertThat(pieces).hasSize(3);
    assertThat(pieces.get(0).range().after()).isNull();
  }

  @Test
  void an_empty_range_has_no_pieces() {
    RangeCutter cutter = cutter(10, 1, 0, by(A), 10, by(B));
    assertThat(cutter.cut(range(token(7), token(7)), 99)).isEmpty();
    assertThat(cutter.cut(range(token(8), token(7)), 99)).isEmpty();
    assertThat(cutter.cut(range(token(Long.MAX_VALUE), null), 99)).isEmpty();
    assertThat(cutter.cut(range(null, MINIMUM), 99)).isEmpty();
  }

  /** The tokens of one partitioner. They are few, so that a test can try all of them. */
  private enum Kind {
    MURMUR3 {
      @Override
      Token token(int small) {
        return new Token.Murmur3(small - 30);
      }

      @Override
      Token edge(boolean low) {
        return new Token.Murmur3(low ? Long.MIN_VALUE : Long.MAX_VALUE);
      }
    },
    RANDOM {
      @Override
      Token token(int small) {
        return new Token.Random(BigInteger.valueOf(small));
      }

      @Override
      Token edge(boolean low) {
        return new Token.Random(low ? BigInteger.ONE.negate() : BigInteger.TWO.pow(127));
      }
    },
    ORDERED {
      @Override
      Token token(int small) {
        String hex = String.format("%02x", small / 2);
        return new Token.Ordered(small % 2 == 0 ? hex : hex + "00");
      }

      @Override
      Token edge(boolean low) {
        return new Token.Ordered(low ? "" : "ffffff");
      }
    };

    abstract Token token(int small);

    /** Returns the minimum, or a token that is not below any other. */
    abstract Token edge(boolean low);
  }

  private static final int SMALL = 60;

  @ParameterizedTest
  @EnumSource(Kind.class)
  void every_token_is_in_exactly_one_piece_that_names_its_owners(Kind kind) {
    Random random = new Random(20261121);
    for (int round = 0; round < 2000; round++) {
      check(kind, random);
    }
  }

  private static void check(Kind kind, Random random) {
    Ring.Replicas owners = randomOwners(kind, random);
    TokenRange wanted = range(randomBound(kind, random), randomBound(kind, random));
    // A dense ring of few tokens is cut into parts of a token or two, or into more parts than it
    // has tokens. A wide ring is cut by shares.
    double whole = Math.pow(2, random.nextInt(70));
    Density density =
        random.nextInt(8) == 0 ? Density.UNKNOWN : new EvenDensity(whole, kind.edge(true));
    RangeCutter cutter =
        new RangeCutter(
            owners,
            kind.edge(true),
            density,
            1 + random.nextInt(9),
            random.nextInt(3) * 1000,
            random.nextBoolean() ? Double.POSITIVE_INFINITY : Math.pow(2, random.nextInt(40)));
    int atMost = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 100;
    List<Piece> pieces = cutter.cut(wanted, atMost);
    TokenRange covered =
        pieces.size() < atMost ? wanted : range(wanted.after(), last(pieces).range().upTo());

    assertThat(pieces.size()).isLessThanOrEqualTo(atMost);
    for (Token token : probes(kind, owners, pieces)) {
      int holding = 0;
      for (Piece piece : pieces) {
        if (piece.range().contains(token)) {
          holding++;
          assertOwners(piece, owners, token);
        }
      }
      if (holding != (covered.contains(token) ? 1 : 0)) {
        fail(token + " of " + wanted + " is in " + holding + " of " + pieces);
      }
    }
    for (int i = 0; i < pieces.size(); i++) {
      assertThat(pieces.get(i).range().isEmpty()).as("%s", pieces).isFalse();
      if (i > 0) {
        assertThat(pieces.get(i).range().after()).isEqualTo(pieces.get(i - 1).range().upTo());
      }
    }
  }

  /**
   * Checks that a piece within one range names all its owners, and a piece that spans several names
   * some owners of each.
   */
  private static void assertOwners(Piece piece, Ring.Replicas owners, Token token) {
    boolean spans =
        owners.segments().stream()
                .filter(segment -> !segment.intersect(piece.range()).isEmpty())
                .count()
            > 1;
    Set<NodeId> named = Set.copyOf(piece.replicas());
    Set<NodeId> own = Set.copyOf(owners.of(token));
    if (spans) {
      assertThat(named).containsAnyElementsOf(own);
    } else {
      assertThat(named).isEqualTo(own);
    }
  }

  private static Piece last(List<Piece> pieces) {
    return pieces.get(pieces.size() - 1);
  }

  private static @Nullable Token randomBound(Kind kind, Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> null;
      case 1 -> kind.edge(false);
      default -> kind.token(random.nextInt(SMALL));
    };
  }

  private static Ring.Replicas randomOwners(Kind kind, Random random) {
    TreeSet<Token> ends = new TreeSet<>();
    ends.add(kind.token(random.nextInt(SMALL)));
    for (int i = random.nextInt(8); i > 0; i--) {
      ends.add(kind.token(random.nextInt(SMALL)));
    }
    if (random.nextInt(5) == 0) {
      ends.add(kind.edge(random.nextBoolean()));
    }
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      List<NodeId> all = new ArrayList<>(List.of(A, B, C));
      Collections.shuffle(all, random);
      owners.add(all.subList(0, 1 + random.nextInt(2)));
    }
    return new Ring.Replicas(List.copyOf(ends), owners);
  }

  /** Returns every small token, the edges, and the tokens around every cut, without the minimum. */
  private static Set<Token> probes(Kind kind, Ring.Replicas owners, List<Piece> pieces) {
    Set<Token> probes = new TreeSet<>();
    for (int i = 0; i < SMALL; i++) {
      probes.add(kind.token(i));
    }
    probes.add(kind.edge(false));
    for (TokenRange segment : owners.segments()) {
      addAround(segment.upTo(), probes);
    }
    for (Piece piece : pieces) {
      addAround(piece.range().upTo(), probes);
    }
    probes.removeIf(Token::isMinimum);
    return probes;
  }

  private static void addAround(@Nullable Token token, Set<Token> probes) {
    if (token != null) {
      probes.add(token);
      if (token.previous() != null) {
        probes.add(token.previous());
      }
    }
  }
}
