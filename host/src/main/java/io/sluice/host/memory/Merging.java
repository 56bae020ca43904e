package io.sluice.host.memory;

import io.sluice.host.change.Changes;
import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Switches on the kernel's merging of pages, keeps its cost below a ceiling, and shows the gain.
 */
public final class Merging {
  private static final int TICKS_A_SECOND = 100;
  private static final int SLOWEST_RATE = 50;

  private final HostTree tree;
  private final Consumer<String> out;
  private final Pause pause;

  /** Waits between two readings of the counters. */
  interface Pause {
    void seconds(int seconds) throws InterruptedException;
  }

  /** Creates an object for merging on this host. */
  public Merging(HostTree tree, Consumer<String> out) {
    this(tree, out, TimeUnit.SECONDS::sleep);
  }

  Merging(HostTree tree, Consumer<String> out, Pause pause) {
    this.tree = tree;
    this.out = out;
    this.pause = pause;
  }

  /**
   * Switches merging on, and watches it.
   *
   * @param percent most of a core that the merging thread may use
   * @param seconds time to watch; 0 for none
   * @return whether the kernel has accepted all settings
   */
  public boolean apply(int percent, int seconds, int everySeconds)
      throws IOException, InterruptedException {
    Ksm ksm = new Ksm(tree);
    if (!ksm.exists()) {
      throw new IOException("this kernel cannot merge equal pages (no CONFIG_KSM)");
    }
    try (Changes changes = Changes.begin(tree, out)) {
      long pageBytes = PageSize.bytes(tree);
      Ksm.Counters before = ksm.counters();
      Map<String, String> wanted = ksm.wanted(percent);
      List<String> refused =
          wanted.isEmpty() ? List.of() : changes.apply(Entry.Kind.MEMORY, wanted);
      if (wanted.isEmpty()) {
        out.accept("all settings have their values already");
      }
      long first = ksm.threadTicks();
      long last = first;
      for (int passed = everySeconds; passed <= seconds; passed += everySeconds) {
        pause.seconds(everySeconds);
        long ticks = ksm.threadTicks();
        double used = share(ticks - last, everySeconds);
        out.accept(passed + " s: " + gained(before, ksm.counters(), pageBytes) + ", " + cost(used));
        slowDown(ksm, changes, used, percent);
        last = ticks;
      }
      if (seconds >= everySeconds) {
        int watched = seconds / everySeconds * everySeconds;
        out.accept(
            "in "
                + watched
                + " s: "
                + gained(before, ksm.counters(), pageBytes)
                + ", for "
                + cost(share(last - first, watched)));
      }
      return refused.isEmpty();
    }
  }

  private static double share(long ticks, int seconds) {
    return 100.0 * ticks / TICKS_A_SECOND / seconds;
  }

  private static String gained(Ksm.Counters before, Ksm.Counters now, long pageBytes) {
    return "saved "
        + MemoryReport.mb(now.savedBytes(pageBytes))
        + " (+"
        + MemoryReport.mb(now.savedBytes(pageBytes) - before.savedBytes(pageBytes))
        + "), zero pages "
        + MemoryReport.mb(now.zeroPages() * pageBytes)
        + ", profit "
        + MemoryReport.mb(now.profitBytes())
        + ", full scans "
        + (now.fullScans() - before.fullScans());
  }

  private static String cost(double percent) {
    return String.format(Locale.ROOT, "ksmd %.1f %% of a core", percent);
  }

  /**
   * Halves the scan rate if the cost is above the ceiling. The kernel's advisor, if there is one,
   * does this itself.
   */
  private static void slowDown(Ksm ksm, Changes changes, double used, int percent)
      throws IOException {
    if (used <= percent || ksm.hasAdvisor()) {
      return;
    }
    String rate = ksm.setting("pages_to_scan").orElse("");
    if (rate.matches("\\d{1,9}") && Integer.parseInt(rate) > SLOWEST_RATE) {
      String half = Integer.toString(Math.max(SLOWEST_RATE, Integer.parseInt(rate) / 2));
      changes.adjust(Entry.Kind.MEMORY, Ksm.PAGES_TO_SCAN, half);
    }
  }
}
