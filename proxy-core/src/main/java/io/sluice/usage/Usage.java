package io.sluice.usage;

import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.time.OnLanes;
import io.sluice.time.SystemTime;
import io.sluice.time.WallClock;
import io.sluice.usage.LaneUsage.TableFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The use that clients make of statements. Each lane counts separately, and the counts are merged
 * when they are requested. Safe for any thread.
 */
public final class Usage {

  private final int mostStatements;
  private final NanoClock clock;
  private final SlowLog slow;
  private final ConcurrentHashMap<Lane, LaneUsage> byLane = new ConcurrentHashMap<>();

  /**
   * Creates an empty usage.
   *
   * @param mostStatements maximum number of statements that are kept individually; 0 for none
   * @param slow the settings of the log of calls that took long
   * @param wallClock the times in that log
   */
  public Usage(int mostStatements, NanoClock clock, SlowLogConfig slow, WallClock wallClock) {
    this.slow = new SlowLog(slow, wallClock);
    this.mostStatements = mostStatements;
    this.clock = clock;
  }

  /** Creates an empty usage that writes no slow log until its settings change. */
  public Usage(int mostStatements, NanoClock clock) {
    this(mostStatements, clock, SlowLogConfig.off(), new SystemTime());
  }

  /** Replaces the settings of the log of calls that took long. */
  public void change(SlowLogConfig next) {
    slow.change(next);
  }

  /** Returns the usage of a lane's clients, for use on that lane only. */
  public LaneUsage of(Lane lane) {
    LaneUsage known = byLane.get(lane);
    return known != null ? known : byLane.computeIfAbsent(lane, this::begin);
  }

  private LaneUsage begin(Lane lane) {
    return new LaneUsage(lane, new StatementTable(mostStatements, clock.nanoTime()), slow);
  }

  /**
   * Collects the statements that took most time in total, and all others together.
   *
   * @param to the lane on which {@code then} is called, once
   */
  public void statements(Lane to, Consumer<List<StatementFacts>> then) {
    OnLanes.<LaneUsage, List<StatementFacts>>collect(
        byLane.values(),
        LaneUsage::lane,
        LaneUsage::statements,
        to,
        all -> then.accept(joined(all, mostStatements)));
  }

  /** Collects the reads and writes of each table, as {@link #statements} does. */
  public void tables(Lane to, Consumer<List<TableFacts>> then) {
    OnLanes.<LaneUsage, List<TableFacts>>collect(
        byLane.values(), LaneUsage::lane, LaneUsage::tables, to, all -> then.accept(joined(all)));
  }

  private static List<TableFacts> joined(List<List<TableFacts>> lanes) {
    Map<List<String>, TableFacts> all = new HashMap<>();
    for (List<TableFacts> lane : lanes) {
      for (TableFacts each : lane) {
        List<String> kind = List.of(each.keyspace(), each.table(), each.shape());
        TableFacts known = all.putIfAbsent(kind, each);
        if (known != null) {
          known.cost().add(each.cost());
        }
      }
    }
    return List.copyOf(all.values());
  }

  /** A statement of one role, whichever lane has counted it. */
  private record StatementOfRole(long digest, String role) {}

  /** Merges the lists of all lanes, so that each statement appears once. */
  static List<StatementFacts> joined(List<List<StatementFacts>> lanes, int most) {
    Map<StatementOfRole, StatementFacts> all = new HashMap<>();
    Cost others = new Cost();
    for (List<StatementFacts> lane : lanes) {
      for (StatementFacts each : lane) {
        StatementFacts known =
            each.isOthers()
                ? null
                : all.putIfAbsent(new StatementOfRole(each.digest(), each.role()), each);
        if (each.isOthers()) {
          others.add(each.cost());
        } else if (known != null) {
          known.cost().add(each.cost());
        }
      }
    }
    List<StatementFacts> byTime = new ArrayList<>(all.values());
    byTime.sort(Comparator.comparingLong((StatementFacts each) -> each.cost().nanos()).reversed());
    List<StatementFacts> kept = new ArrayList<>(byTime.subList(0, Math.min(most, byTime.size())));
    byTime.subList(kept.size(), byTime.size()).forEach(each -> others.add(each.cost()));
    if (others.calls() > 0) {
      kept.add(StatementFacts.others(others));
    }
    return kept;
  }
}
