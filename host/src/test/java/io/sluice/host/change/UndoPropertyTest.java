package io.sluice.host.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.kernel.Folder;
import io.sluice.host.kernel.ModelKernel;
import io.sluice.host.kernel.ModelKernel.Killed;
import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * For random hosts, random changes by several commands, and a kill after any number of writes, undo
 * restores every file byte for byte.
 */
class UndoPropertyTest {
  /** Creates folders in memory where the host has such a file system, for thousands of syncs. */
  static final class MemoryFolder implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      return Files.isWritable(MEMORY)
          ? Files.createTempDirectory(MEMORY, "undo")
          : Files.createTempDirectory("undo");
    }
  }

  private static final List<Entry.Kind> ALL = List.of(Entry.Kind.values());
  private static final List<String> SCHEDULERS = List.of("none", "mq-deadline", "kyber", "bfq");

  @TempDir(factory = MemoryFolder.class)
  private Path temp = Path.of("");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7})
  void undo_restores_every_byte_after_a_kill_at_any_write(int seed) throws IOException {
    boolean whole = false;
    for (int writes = 0; !whole; writes++) {
      Folder folder = new Folder(temp.resolve(seed + "-" + writes));
      randomHost(folder, new Random(seed));
      Map<String, String> before = folder.snapshot();

      whole = changesFor(folder, new Random(seed), writes);
      undo(new ModelKernel(folder));

      assertThat(folder.snapshot()).as("killed after %d writes", writes).isEqualTo(before);
      assertThat(new Ledger(HostTree.at(folder.root())).entries()).isEmpty();
    }
  }

  /** The next undo completes an undo that was killed. */
  @ParameterizedTest
  @ValueSource(ints = {21, 22, 23})
  void undo_continues_after_a_kill(int seed) throws IOException {
    boolean whole = false;
    for (int writes = 0; !whole; writes++) {
      Folder folder = new Folder(temp.resolve(seed + "-" + writes));
      randomHost(folder, new Random(seed));
      Map<String, String> before = folder.snapshot();
      assertThat(changesFor(folder, new Random(seed), Integer.MAX_VALUE)).isTrue();

      try {
        undo(new ModelKernel(folder, writes));
        whole = true;
      } catch (Killed e) {
        undo(new ModelKernel(folder));
      }

      assertThat(folder.snapshot()).as("killed after %d writes", writes).isEqualTo(before);
    }
  }

  private static void undo(HostTree tree) throws IOException {
    try (Changes changes = Changes.begin(tree, line -> {})) {
      assertThat(changes.undo(ALL)).isEmpty();
    }
  }

  /** Runs several commands one after another. Returns whether none was killed. */
  private static boolean changesFor(Folder folder, Random random, int writes) throws IOException {
    HostTree tree = new ModelKernel(folder, writes);
    try {
      for (Entry.Kind kind : List.of(Entry.Kind.APPLY, Entry.Kind.MEMORY, Entry.Kind.JOIN)) {
        try (Changes changes = Changes.begin(tree, line -> {})) {
          changes.apply(kind, randomChanges(tree, random));
        }
      }
      return true;
    } catch (Killed e) {
      return false;
    }
  }

  private static void randomHost(Folder folder, Random random) throws IOException {
    folder.kernel();
    if (random.nextBoolean()) {
      folder.vm("dirty_bytes", "1000000").vm("dirty_ratio", "0");
    }
    if (random.nextInt(4) == 0) {
      folder.vm("dirty_background_ratio", "0");
    }
    if (random.nextBoolean()) {
      folder.ksm();
    }
    for (String name : List.of("sda", "sdb", "vda", "nvme0n1")) {
      if (random.nextBoolean()) {
        String chosen = SCHEDULERS.get(random.nextInt(SCHEDULERS.size()));
        String names = String.join(" ", SCHEDULERS).replace(chosen, "[" + chosen + "]");
        folder.disk(name, names + (random.nextBoolean() ? " " : ""), random.nextBoolean(), 4096);
      }
    }
    ModelKernel kernel = new ModelKernel(folder).boot();
    for (String path : settings(kernel)) {
      boolean takes = kernel.read(path).isPresent() && !path.endsWith("pages_to_scan");
      if (takes && random.nextInt(3) == 0 && !path.contains("dirty")) {
        kernel.write(path, randomValue(kernel, path, random));
      }
    }
  }

  /** Returns random changes of all files that a command may write, in random order. */
  private static Map<String, String> randomChanges(HostTree tree, Random random)
      throws IOException {
    List<String> paths = new ArrayList<>(settings(tree));
    Collections.shuffle(paths, random);
    Map<String, String> wanted = new LinkedHashMap<>();
    for (String path : paths) {
      if (random.nextBoolean()) {
        wanted.put(path, randomValue(tree, path, random));
      }
    }
    return wanted;
  }

  private static List<String> settings(HostTree tree) throws IOException {
    List<String> paths = new ArrayList<>();
    for (String device : tree.list("/sys/block")) {
      String queue = "/sys/block/" + device + "/queue/";
      paths.addAll(List.of(queue + "scheduler", queue + "read_ahead_kb", queue + "nr_requests"));
      for (String tunable : tree.list(queue + "iosched")) {
        paths.add(queue + "iosched/" + tunable);
      }
      paths.add(queue + "iosched/low_latency");
    }
    tree.list("/proc/sys/vm").forEach(name -> paths.add("/proc/sys/vm/" + name));
    for (String name : tree.list("/sys/kernel/mm/ksm")) {
      if (!Set.of("pages_sharing", "ksm_zero_pages", "general_profit", "full_scans")
          .contains(name)) {
        paths.add("/sys/kernel/mm/ksm/" + name);
      }
    }
    paths.add("/sys/kernel/mm/transparent_hugepage/enabled");
    return paths.stream().distinct().toList();
  }

  private static String randomValue(HostTree tree, String path, Random random) throws IOException {
    List<String> choices = KernelValue.choices(tree.read(path).orElse(""));
    return choices.isEmpty()
        ? Integer.toString(1 + random.nextInt(500))
        : choices.get(random.nextInt(choices.size()));
  }
}
