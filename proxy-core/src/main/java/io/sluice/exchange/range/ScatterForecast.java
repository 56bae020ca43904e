package io.sluice.exchange.range;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.PlanStep;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.share.ShareRule;
import io.sluice.exchange.Forecast;
import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.Homes;
import io.sluice.ring.NodeId;
import io.sluice.ring.TokenRange;
import io.sluice.wire.RangeHint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A prediction of what the scheduler would do with a split page that came now, as lines of its
 * plan. A forecast queues and sends nothing. Not safe for several threads.
 */
final class ScatterForecast {

  private final PageContext page;
  private final Forecast forecast;

  ScatterForecast(PageContext page, ClientRequest request) {
    this.page = page;
    this.forecast =
        new Forecast(
            page.context(), request, page.query(), page.context().ring(page.page().statement()));
  }

  /**
   * Returns the lines of the plan, followed by the forecast.
   *
   * @param plan the lines of the plan, with one line per piece of the first wave, in order
   */
  List<PlanLine> lines(List<PlanLine> plan) {
    List<PlanLine> lines = new ArrayList<>();
    int piece = 0;
    for (PlanLine line : plan) {
      boolean isPiece = line.step() instanceof PlanStep.Piece;
      lines.add(
          isPiece ? forecast.add(line, page.expectedRows(page.plan().wave().get(piece++))) : line);
    }
    lines.add(forecast.classLine());
    lines.add(estimates(page.density()));
    lines.addAll(forecast.queueLines());
    lines.addAll(homes());
    lines.addAll(shares());
    lines.add(
        forecast.agentLine(
            new RangeHint(page.plan().wave().size(), Math.round(page.goal().expected()))));
    lines.add(forecast.admissionLine());
    return lines;
  }

  /** Returns the other proxies at which pieces of the first wave would wait. */
  private List<PlanLine> homes() {
    Map<Homes.Home, Set<NodeId>> nodes = new LinkedHashMap<>();
    long half = page.page().statement().timeoutNanos(page.context().rangeTimeoutNanos()) / 2;
    for (SubRequest each : page.plan().wave()) {
      if (page.home(each.piece(), half) instanceof HomeChoice.Away to) {
        nodes.computeIfAbsent(to.home(), home -> new LinkedHashSet<>()).add(to.node());
      }
    }
    List<PlanLine> lines = new ArrayList<>();
    nodes.forEach(
        (home, of) ->
            lines.add(
                PlanLine.at("home", List.copyOf(of), "waits at the proxy " + home)
                    .with("proxy", home.toString())));
    return lines;
  }

  /**
   * Returns the line of the origin of a table's estimates.
   *
   * @param density null for an unknown table
   */
  static PlanLine estimates(@Nullable TableDensity density) {
    TableDensity.Origin origin = density == null ? null : density.origin();
    if (density == null || origin == null || origin.source() == TableDensity.Source.NONE) {
      return new PlanLine(
              "estimates",
              List.of(),
              "",
              Double.NaN,
              "unknown: nodes are asked for their counts as soon as such a read comes")
          .with("source", null)
          .with("age_s", null);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(origin.ageNanos());
    String error =
        origin.sigma() > 0
            ? String.format(Locale.ROOT, ", off by about %.0f %%", 100 * origin.sigma())
            : "";
    return new PlanLine(
            "estimates",
            List.of(),
            "",
            density.rows(TokenRange.ALL),
            origin(origin.source()) + age(seconds) + " ago" + error)
        .with("source", origin.source().name().toLowerCase(Locale.ROOT))
        .with("age_s", seconds)
        .with("error", origin.sigma() > 0 ? origin.sigma() : null);
  }

  private static String origin(TableDensity.Source source) {
    return switch (source) {
      case ANSWERS -> "learned from answers, the last ";
      case PROXIES -> "learned by other proxies from answers, the last ";
      case NODES, NONE -> "partitions that nodes have counted, heard of ";
    };
  }

  private static String age(long seconds) {
    return seconds < 120
        ? seconds + " s"
        : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
  }

  private List<PlanLine> shares() {
    String none = whyNoSharing();
    if (none != null) {
      return List.of(share(List.of(), "no shared scan: " + none, 0));
    }
    List<PlanLine> lines = new ArrayList<>();
    List<SubRequest> wave = page.plan().wave();
    for (int i = 0; i < wave.size(); i++) {
      int others = countRiders(wave.get(i));
      if (others > 0) {
        String note =
            new PlanStep.Piece(i + 1).text()
                + " can be read together with "
                + others
                + (others == 1 ? " other read that waits" : " other reads that wait");
        lines.add(share(wave.get(i).piece().replicas(), note, others));
      }
    }
    return lines.isEmpty()
        ? List.of(share(List.of(), "no other read waits for rows of these pieces", 0))
        : lines;
  }

  private static PlanLine share(List<NodeId> nodes, String note, int others) {
    return PlanLine.at("share", nodes, note).with("others", others);
  }

  private @Nullable String whyNoSharing() {
    if (!page.split().config().shareScans()) {
      return "split.shareScans is off";
    } else if (!page.density().known()) {
      return "nothing is known of the table";
    }
    return page.mayShare() ? null : "answers to this read, or memory now, do not allow it";
  }

  /** Counts the reads that would share a scan with a piece that got its slot now. */
  private int countRiders(SubRequest request) {
    PieceRequests.ShareKey key = page.requests().shareKey(request.piece());
    ShareRule.Scan scan = new ShareRule.Scan(request.piece().range(), request.rows());
    return page.split()
        .sharing()
        .along(key, scan, page.nodes(request.piece()), PieceSizing.shareRule(page));
  }
}
