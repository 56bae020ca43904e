package io.sluice.decide.plan;

import io.sluice.decide.plan.MergeRule.FoldColumn;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats plans for people, as EXPLAIN shows them. Pure; safe for any thread. */
final class Explanation {

  /** Number of nodes named for a forwarded request. */
  private static final int NODES_NAMED = 3;

  /** Characters shown of a statement that is sent to nodes. */
  private static final int MAX_CHARACTERS = 1_000;

  private Explanation() {}

  /** Explains a request that is not split. */
  static List<PlanLine> of(Plan plan) {
    if (plan instanceof Plan.Queue queue) {
      return List.of(
          new PlanLine(
              "read",
              queue.replicas(),
              "",
              Double.NaN,
              "one request; waits for its turn at the replica with the least to do"));
    } else if (plan instanceof Plan.Forward forward) {
      int named = Math.min(NODES_NAMED, forward.nodes().size());
      return List.of(
          new PlanLine(
              "forward",
              forward.nodes().subList(0, named),
              "",
              Double.NaN,
              "one request; goes at once to the first node that can be reached"));
    } else if (plan instanceof Plan.Refuse refuse) {
      return List.of(PlanLine.note("refuse", refuse.refusal().message()));
    }
    return List.of(PlanLine.note("answer", "by Sluice, with its proxies in the place of nodes"));
  }

  /**
   * Explains a range read that goes whole.
   *
   * @param expected rows that it will probably return; NaN when unknown
   */
  static List<PlanLine> of(Plan.Queue plan, Splittable.Whole whole, double expected) {
    String reason = whole.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return List.of(
        new PlanLine(
                "read",
                plan.replicas(),
                "",
                expected,
                "whole, not split: " + reason + "; waits at the node with the least to do")
            .with("split", false)
            .with("reason", reason));
  }

  /**
   * Explains the first page of a split range read.
   *
   * @param pieces number of pieces that the whole range falls into
   * @param atOnce largest number of pieces that go out together
   */
  static List<PlanLine> of(Scatter plan, Density density, int pieces, int atOnce) {
    List<PlanLine> lines = new ArrayList<>();
    boolean all = plan.wanted() == SubRequest.ALL;
    double expected =
        all ? density.rows(plan.range()) : density.expected(plan.range(), plan.wanted());
    lines.add(
        new PlanLine(
                "split",
                List.of(),
                PlanLine.tokens(plan.range()),
                plan.merge() instanceof MergeRule.Fold ? 1.0 : rows(density, expected),
                wanted(plan) + "; " + waves(plan.wave().size(), pieces, atOnce, all))
            .with("split", true)
            .with("first_pieces", plan.wave().size())
            .with("pieces", Math.max(pieces, plan.wave().size()))
            .with("pieces_at_once", atOnce));
    lines.add(PlanLine.note("merge", words(plan.merge())));
    String shown = "";
    int number = 0;
    for (SubRequest request : plan.wave()) {
      Piece piece = request.piece();
      SubStatement text = plan.text(piece);
      if (!text.cql().equals(shown)) {
        lines.add(PlanLine.note("send", shortened(text.cql().strip())));
        lines.add(PlanLine.note("bind", bound(text)));
        shown = text.cql();
      }
      String asked = request.rows() == SubRequest.ALL ? "all rows" : request.rows() + " rows";
      lines.add(
          new PlanLine(
                  new PlanStep.Piece(++number),
                  piece.replicas(),
                  PlanLine.tokens(piece.range()),
                  rows(density, piece.rows()),
                  "asked for " + asked)
              .with("asked_rows", request.rows() == SubRequest.ALL ? null : request.rows()));
    }
    return lines;
  }

  private static String wanted(Scatter plan) {
    return (plan.wanted() == SubRequest.ALL ? "all rows" : "up to " + plan.wanted() + " rows")
        + (plan.rowsLeft() < 0 ? "" : " of LIMIT " + plan.rowsLeft())
        + (plan.perPartition() < 0 ? "" : ", " + plan.perPartition() + " a partition");
  }

  private static String waves(int first, int pieces, int atOnce, boolean all) {
    if (first >= pieces) {
      return "all pieces at once: " + pieces;
    }
    return "the first "
        + first
        + " of about "
        + pieces
        + " pieces; others follow "
        + (all ? "as these end" : "while rows are missing")
        + ", at most "
        + atOnce
        + " at once";
  }

  private static double rows(Density density, double rows) {
    return density.known() ? rows : Double.NaN;
  }

  private static String shortened(String cql) {
    return cql.length() <= MAX_CHARACTERS
        ? cql
        : cql.substring(0, MAX_CHARACTERS) + "... (" + cql.length() + " characters)";
  }

  private static String words(MergeRule merge) {
    if (merge instanceof MergeRule.Fold fold) {
      List<String> columns = new ArrayList<>();
      for (FoldColumn column : fold.columns()) {
        columns.add(
            column.kind()
                + " of "
                + column.type()
                + " from column "
                + (column.part() + 1)
                + (column.count() < 0 ? "" : " and " + (column.count() + 1)));
      }
      return "aggregates of pieces to one row: " + String.join(", ", columns);
    }
    MergeRule.Concatenate rows = (MergeRule.Concatenate) merge;
    RowKey key = rows.rowKey();
    String what = rows.distinct() ? "partitions" : "rows";
    return what + " in the order of tokens" + (key == null ? "" : "; " + words(key));
  }

  private static String words(RowKey key) {
    return "partition key in column "
        + numbers(key.partition())
        + (key.clustering().isEmpty() ? "" : ", clustering in " + numbers(key.clustering()));
  }

  private static String numbers(List<Integer> columns) {
    return String.join(", ", columns.stream().map(each -> String.valueOf(each + 1)).toList());
  }

  private static String bound(SubStatement text) {
    List<String> values = text.values().stream().map(Explanation::words).toList();
    return values.isEmpty() ? "nothing" : String.join(", ", values);
  }

  private static String words(SubStatement.Value value) {
    return switch (value.source()) {
      case CLIENT -> "value " + (value.marker() + 1) + " of the request";
      case AFTER -> "the token before the piece";
      case UP_TO -> "its last token";
      case LIMIT -> "the rows that LIMIT leaves";
    };
  }
}
