package io.sluice.host.plan;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The advice for memory: mappings, swap, huge pages, dirty pages, equal pages. */
final class VmAdvice {
  private static final String VM = "/proc/sys/vm/";
  private static final String THP = "/sys/kernel/mm/transparent_hugepage/";
  private static final String KSM_RUN = "/sys/kernel/mm/ksm/run";
  private static final long MAPS = 1_048_575;
  private static final String MAP_CHECK =
      "Cassandra's start-up check of max_map_count; its package's sysctl.d file";
  private static final String SWAP_CHECK = "Cassandra's start-up check of swap (degraded mode)";
  private static final String DATASTAX = "DataStax, Recommended production settings";
  private static final String NOT_THERE = "this kernel does not have it";

  private final HostTree tree;

  VmAdvice(HostTree tree) {
    this.tree = tree;
  }

  List<Advice> all() throws IOException {
    List<Advice> all = new ArrayList<>();
    all.add(maps());
    all.addAll(swap());
    all.add(zoneReclaim());
    all.add(hugePages("enabled", "huge pages only on request: no memory for untouched parts"));
    all.add(hugePages("defrag", "no pause for compaction at a page fault"));
    all.addAll(writeBack());
    all.add(mergedPages());
    return all;
  }

  private Optional<String> value(String path) throws IOException {
    return tree.read(path).map(KernelValue::of);
  }

  /** Returns the advice to set a value, or to keep another one that is as good. */
  private static Advice advice(
      String path, String current, String proposed, boolean asGood, String why, String source) {
    return asGood && !current.equals(proposed)
        ? Advice.keep(path, current, why, source)
        : Advice.of(path, current, proposed, why, source);
  }

  private Advice maps() throws IOException {
    String path = VM + "max_map_count";
    Optional<String> current = value(path);
    if (current.isEmpty() || !current.get().matches("\\d{1,18}")) {
      return Advice.leave(path, current.orElse("–"), NOT_THERE, "left alone");
    }
    return advice(
        path,
        current.get(),
        Long.toString(MAPS),
        Long.parseLong(current.get()) > MAPS,
        "each SSTable's files are mapped in pieces",
        MAP_CHECK);
  }

  private List<Advice> swap() throws IOException {
    String path = VM + "swappiness";
    Optional<String> current = value(path);
    long devices = tree.read("/proc/swaps").orElse("").lines().skip(1).count();
    if (current.isEmpty()) {
      return List.of(Advice.leave(path, "–", NOT_THERE, "left alone"));
    }
    if (devices == 0) {
      return List.of(Advice.leave(path, current.get(), "no swap, so it has no effect", SWAP_CHECK));
    }
    return List.of(
        advice(
            path,
            current.get(),
            "1",
            current.get().equals("0"),
            "a heap in swap stops the node at each collection",
            SWAP_CHECK),
        Advice.byHand(
            "swap",
            devices + " on",
            "off",
            "swapoff --all; remove it from /etc/fstab",
            SWAP_CHECK));
  }

  private Advice zoneReclaim() throws IOException {
    String path = VM + "zone_reclaim_mode";
    Optional<String> current = value(path);
    return current.isEmpty()
        ? Advice.leave(path, "–", NOT_THERE, "left alone")
        : Advice.of(path, current.get(), "0", "the page cache should use all NUMA nodes", DATASTAX);
  }

  private Advice hugePages(String name, String why) throws IOException {
    Optional<String> content = tree.read(THP + name);
    if (content.isEmpty() || !KernelValue.choices(content.get()).contains("madvise")) {
      return Advice.leave(THP + name, content.orElse("–").strip(), NOT_THERE, "left alone");
    }
    String current = KernelValue.of(content.get());
    return advice(THP + name, current, "madvise", !current.equals("always"), why, DATASTAX);
  }

  private List<Advice> writeBack() throws IOException {
    List<Advice> all = new ArrayList<>();
    for (String name :
        List.of(
            "dirty_background_ratio",
            "dirty_ratio",
            "dirty_expire_centisecs",
            "dirty_writeback_centisecs")) {
      Optional<String> current = value(VM + name);
      if (current.isPresent()) {
        all.add(
            Advice.leave(
                VM + name,
                current.get(),
                "longer write-back is only for joins: 'host join' sets it",
                "no advice for a node that serves"));
      }
    }
    return all;
  }

  private Advice mergedPages() throws IOException {
    Optional<String> current = value(KSM_RUN);
    return Advice.leave(
        KSM_RUN,
        current.orElse("–"),
        current.isEmpty() ? NOT_THERE : "depends on what processes share: see 'host memory'",
        "Linux, Documentation/admin-guide/mm/ksm");
  }
}
