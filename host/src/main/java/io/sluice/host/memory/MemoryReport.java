package io.sluice.host.memory;

import io.sluice.host.jvm.JvmBeans;
import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reports how much memory the processes of a host could give back, and by which remedy. */
public final class MemoryReport {
  private static final int MEGABYTE = 1 << 20;
  private final HostTree tree;
  private final long mostPages;
  private final boolean attach;

  /**
   * Creates a report on this host.
   *
   * @param mostPages most pages to read of each process; 0 to read none
   * @param attach whether to ask JVMs for their heap use; each opens a local connector for that
   */
  public MemoryReport(HostTree tree, long mostPages, boolean attach) {
    this.tree = tree;
    this.mostPages = mostPages;
    this.attach = attach;
  }

  /** Returns the lines of the report. */
  public List<String> of(List<HostProcess> processes) throws IOException {
    List<String> lines = new ArrayList<>();
    long pageBytes = PageSize.bytes(tree);
    lines.addAll(kernel(pageBytes));
    List<ProcessMemory> memories = new ArrayList<>();
    List<ProcessPages> pages = new ArrayList<>();
    PageReader reader = new PageReader(tree, mostPages);
    for (HostProcess process : processes) {
      ProcessMemory memory = ProcessMemory.of(tree, process);
      memories.add(memory);
      lines.add(counted(memory, pageBytes));
      if (mostPages > 0) {
        ProcessPages read = reader.read(process);
        pages.add(read);
        lines.addAll(read(process, read));
      }
    }
    if (!pages.isEmpty()) {
      lines.addAll(remedies(processes, memories, pages));
    }
    return lines;
  }

  private List<String> kernel(long pageBytes) throws IOException {
    Ksm ksm = new Ksm(tree);
    if (!ksm.exists()) {
      return List.of("This kernel cannot merge equal pages (no CONFIG_KSM).");
    }
    List<String> lines = new ArrayList<>();
    boolean runs = ksm.setting("run").orElse("0").equals("1");
    lines.add(
        "Merging of equal pages (KSM): "
            + (runs ? "on" : "off")
            + ", advisor "
            + ksm.setting("advisor_mode").orElse("not in this kernel")
            + ", smart_scan "
            + ksm.setting("smart_scan").orElse("not in this kernel")
            + ", use_zero_pages "
            + ksm.setting("use_zero_pages").orElse("not in this kernel"));
    Ksm.Counters now = ksm.counters();
    lines.add(
        "  saved now: "
            + mb(now.savedBytes(pageBytes))
            + ", including zero pages "
            + mb(now.zeroPages() * pageBytes)
            + "; profit by the kernel's counters "
            + mb(now.profitBytes()));
    return lines;
  }

  private static String counted(ProcessMemory memory, long pageBytes) {
    return memory.process().title()
        + ": "
        + mb(memory.residentBytes())
        + " resident, "
        + mb(memory.privateBytes())
        + " private; merged "
        + mb(memory.mergedPages() * pageBytes)
        + "; "
        + memory
            .optedIn()
            .map(in -> in ? "opted in to merging" : "not opted in to merging")
            .orElse("opt-in to merging unknown");
  }

  private List<String> read(HostProcess process, ProcessPages pages) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "  %s %s of %s read, %s shared already: zero pages %s, including %s in the Java heap",
            pages.whole() ? "all," : "a sample,",
            mb(pages.readPages() * PageReader.PAGE),
            mb(pages.residentPages() * PageReader.PAGE),
            mb(pages.sharedPages() * PageReader.PAGE),
            mb(pages.ofAll(pages.zeroPages()) * PageReader.PAGE),
            mb(pages.ofAll(pages.zeroHeapPages()) * PageReader.PAGE)));
    Optional<String> most = process.option("-Xmx");
    if (most.isPresent()) {
      boolean touched = process.arguments().contains("-XX:+AlwaysPreTouch");
      lines.add(
          "  heap: -Xmx"
              + most.get()
              + process.option("-Xms").map(least -> ", -Xms" + least).orElse("")
              + (touched ? ", touched at the start (AlwaysPreTouch)" : "")
              + (attach ? "; " + held(process) : ""));
    }
    return lines;
  }

  private static String held(HostProcess process) {
    try (JvmBeans beans = JvmBeans.ofProcess(process.pid())) {
      long bytes = beans.heapAfterCollection();
      return bytes == 0 ? "no collection yet" : mb(bytes) + " in use after the last collections";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private List<String> remedies(
      List<HostProcess> processes, List<ProcessMemory> memories, List<ProcessPages> pages)
      throws IOException {
    boolean whole = pages.stream().allMatch(ProcessPages::whole);
    long zero = pages.stream().mapToLong(each -> each.ofAll(each.zeroPages())).sum();
    long zeroHeap = pages.stream().mapToLong(each -> each.ofAll(each.zeroHeapPages())).sum();
    EqualPages equal = EqualPages.of(pages.stream().map(ProcessPages::hashes).toList());
    String atLeast = whole ? "" : "at least ";
    List<String> lines = new ArrayList<>();
    lines.add("Remedies");
    lines.add(
        "  smaller heaps (-Xms and -Xmx, no AlwaysPreTouch): up to "
            + mb(zeroHeap * PageReader.PAGE)
            + ", the zero pages of the heaps, without cost in processor time");
    lines.add(
        "  merging zero pages (KSM with use_zero_pages): "
            + mb(zero * PageReader.PAGE)
            + ", as long as they stay zero");
    lines.add(
        "  merging other equal pages (KSM): "
            + atLeast
            + mb((equal.within() + equal.across()) * PageReader.PAGE)
            + ", including "
            + mb(equal.across() * PageReader.PAGE)
            + " between processes");
    if (zeroHeap > 2 * (zero - zeroHeap + equal.within() + equal.across())) {
      lines.add("  Most of this is unused heap: make the heaps smaller first.");
    }
    long in = memories.stream().filter(each -> each.optedIn().orElse(false)).count();
    if (new Ksm(tree).exists() && in < processes.size()) {
      lines.add(
          "  "
              + (processes.size() - in)
              + " of "
              + processes.size()
              + " processes are not opted in: the node agent's merge=true, systemd's MemoryKSM=yes,"
              + " or mem-merge=on of a virtual machine");
    }
    return lines;
  }

  static String mb(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MB", (double) bytes / MEGABYTE);
  }
}
