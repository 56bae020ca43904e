package io.sluice.evaluate.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of a simulated disk: a loop device over a FUSE file, with ext4 on it. The process
 * ends when its standard input is closed, so it ends with the process that started it. It then
 * removes everything that it has created.
 */
final class DiskServer {
  static final String CHARGE = "charge";
  static final String FREE = "free";
  static final String COUNT = "count";

  private static final int ATTEMPTS = 150;
  private static final String MOUNTED = "mount";
  private static final String FUSE = "fuse";
  private static final String BYTES = "bytes";

  private final Path folder;
  private final DiskShape shape;
  private String device = "";

  private DiskServer(Path folder, DiskShape shape) {
    this.folder = folder;
    this.shape = shape;
  }

  /** Returns the folder where the disk is mounted. */
  static Path mounted(Path folder) {
    return folder.resolve(MOUNTED);
  }

  /** Runs the disk. The arguments are the folder for its files and the values of the shape. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> all = List.of(args);
    new DiskServer(Path.of(all.get(0)), DiskShape.of(all.subList(1, all.size()))).serve();
    // FUSE's thread does not end by itself while its file system is in use.
    System.exit(0);
  }

  private void serve() throws IOException, InterruptedException {
    for (String name : List.of(MOUNTED, FUSE)) {
      Files.createDirectories(folder.resolve(name));
    }
    try (FileChannel bytes =
        FileChannel.open(
            folder.resolve(BYTES),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      Platter platter = new Platter(bytes, shape);
      Thread fuse = new Thread(() -> mount(platter), "fuse");
      fuse.setDaemon(true);
      fuse.start();
      try {
        createDisk();
        platter.charge(true);
        System.out.println("ready " + device);
        System.out.flush();
        executeCommands(platter);
      } finally {
        platter.charge(false);
        remove();
      }
    }
  }

  /** Serves the FUSE file, one request at a time, in the order of the kernel. */
  private void mount(Platter platter) {
    platter.mount(
        folder.resolve(FUSE),
        true,
        false,
        new String[] {"-s", "-o", "big_writes,max_read=131072,default_permissions"});
  }

  private void createDisk() throws IOException, InterruptedException {
    Path file = folder.resolve(FUSE).resolve(Platter.FILE);
    for (int i = 0; i < ATTEMPTS && !Files.exists(file); i++) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    device = run("losetup", "--find", "--show", "--direct-io=on", file.toString()).strip();
    run(
        "mkfs.ext4",
        "-q",
        "-m",
        "0",
        "-N",
        "32768",
        "-E",
        "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
        device);
    run("mount", "-o", "noatime", device, mounted(folder).toString());
    Path queue = Path.of("/sys/block", device.replace("/dev/", ""), "queue");
    Files.writeString(queue.resolve("rotational"), "1");
    Files.writeString(queue.resolve("scheduler"), "mq-deadline");
    Files.writeString(queue.resolve("read_ahead_kb"), ReadAhead.KILOBYTES);
  }

  /** Executes the commands on standard input until its end. */
  private static void executeCommands(Platter platter) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (!line.equals(COUNT)) {
        platter.charge(line.equals(CHARGE));
      }
      System.out.println("done " + platter.counts().text());
      System.out.flush();
    }
  }

  /** Removes the disk. Retries, because nodes may still be stopping. */
  private void remove() throws InterruptedException {
    String place = mounted(folder).toString();
    boolean unmounted = false;
    for (int i = 0; i < ATTEMPTS && !unmounted; i++) {
      unmounted = succeeds("umount", place);
      if (!unmounted) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
    if (!unmounted) {
      succeeds("umount", "-l", place);
    }
    succeeds("losetup", "-d", device);
    if (!succeeds("umount", folder.resolve(FUSE).toString())) {
      succeeds("umount", "-l", folder.resolve(FUSE).toString());
    }
    for (String name : List.of(BYTES, MOUNTED, FUSE, "")) {
      if (!folder.resolve(name).toFile().delete()) {
        System.err.println(folder.resolve(name) + " cannot be removed");
      }
    }
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      run(command);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("/usr/bin/env"));
    all.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output.strip());
    }
    return output;
  }
}
