package io.sluice.decide.share;

import io.sluice.decide.plan.Density;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which queued reads to read together with one whose turn has come, because they want many
 * of the same rows, and what to ask for. Pure; safe for any thread.
 *
 * @param density the density of the result's rows
 * @param mostRows rows that are read together at most; more than 0
 * @param spareRows rows that may be read for others, however few the first read wants; at least 0
 */
public record ShareRule(Density density, int mostRows, double spareRows) {

  /** Largest share of a read's rows that may be read for it alone. */
  private static final double OWN = 2.0 / 3;

  /** Largest growth of the read whose turn has come, as a multiple of its own rows. */
  private static final double CARRIED = 1;

  /**
   * A read, or several together: the first rows of a range.
   *
   * @param range the range
   * @param rows rows at most; more than 0
   */
  public record Scan(TokenRange range, int rows) {}

  /**
   * The position of a scan's rows, counted from the beginning of the first read. The ends are
   * estimates.
   */
  private record Span(double from, double to) {

    double rows() {
      return to - from;
    }

    /** Returns the additional rows to read for another span, including those between the two. */
    double added(Span other) {
      return Math.max(0, from - other.from) + Math.max(0, other.to - to);
    }

    Span and(Span other) {
      return new Span(Math.min(from, other.from), Math.max(to, other.to));
    }
  }

  /**
   * Chooses the reads to take along. A read that overlaps the chosen ones goes along, with two
   * exceptions: more than two thirds of its rows would be read for it alone, or the total would be
   * too large. The total is limited for the node, and for the first read, which expected to be
   * short and must not pay for many times its own rows.
   *
   * @param first the read whose turn has come
   * @param others queued reads of the same result
   * @return indexes of {@code others}
   */
  public List<Integer> along(Scan first, List<Scan> others) {
    List<Span> spans = new ArrayList<>(others.size());
    for (Scan other : others) {
      spans.add(span(first, other));
    }
    List<Integer> along = new ArrayList<>();
    Span all = span(first, first);
    double most = Math.min(mostRows, (1 + CARRIED) * all.rows() + spareRows);
    boolean grew = true;
    while (grew) {
      grew = false;
      for (int i = 0; i < spans.size(); i++) {
        Span span = spans.get(i);
        if (span != null && all.added(span) <= OWN * span.rows() && all.and(span).rows() <= most) {
          all = all.and(span);
          along.add(i);
          spans.set(i, null);
          grew = true;
        }
      }
    }
    return along;
  }

  private Span span(Scan first, Scan other) {
    double from = offset(first.range().after(), other.range().after());
    return new Span(from, from + Math.min(other.rows(), density.rows(other.range())));
  }

  /** Returns the rows from one beginning to another; negative if the other comes first. */
  private double offset(@Nullable Token from, @Nullable Token to) {
    TokenRange forward = new TokenRange(from, to);
    boolean ahead = from == null || (to != null && to.compareTo(from) >= 0);
    if (from == null ? to == null : from.equals(to)) {
      return 0;
    }
    return ahead ? density.rows(forward) : -density.rows(new TokenRange(to, from));
  }

  private static TokenRange hull(TokenRange a, TokenRange b) {
    Token after =
        a.after() == null || (b.after() != null && b.after().compareTo(a.after()) > 0)
            ? a.after()
            : b.after();
    Token upTo =
        a.upTo() == null || (b.upTo() != null && b.upTo().compareTo(a.upTo()) < 0)
            ? a.upTo()
            : b.upTo();
    return new TokenRange(after, upTo);
  }

  /**
   * Returns one read that probably contains the rows of all scans. The number of rows before a scan
   * is an estimate. Keys are hashed, so the number is a Poisson variable, and two standard
   * deviations are added.
   *
   * @param scans not empty
   */
  public Scan together(List<Scan> scans) {
    TokenRange range = scans.get(0).range();
    for (Scan scan : scans) {
      range = hull(range, scan.range());
    }
    double rows = 0;
    for (Scan scan : scans) {
      double before = offset(range.after(), scan.range().after());
      rows = Math.max(rows, before + 2 * Math.sqrt(before) + scan.rows());
    }
    return new Scan(range, (int) Math.ceil(Math.min(rows, mostRows)));
  }
}
