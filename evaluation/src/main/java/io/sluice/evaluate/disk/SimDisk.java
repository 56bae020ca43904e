package io.sluice.evaluate.disk;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.OwnSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A disk with seeks, simulated by a separate process. Not safe for several threads. */
public final class SimDisk implements Disk {
  private static final long END_SECONDS = 60;
  private static final Path CHRT = Path.of("/usr/bin/chrt");

  private final Process process;
  private final BufferedReader output;
  private final Path folder;
  private final Map<String, String> about;
  private final String device;

  private SimDisk(
      Process process,
      BufferedReader output,
      Path folder,
      Map<String, String> about,
      String device) {
    this.process = process;
    this.output = output;
    this.folder = folder;
    this.about = about;
    this.device = device;
  }

  /**
   * Returns a simulated disk that can be opened.
   *
   * @param folder folder for the disk's files; created and removed by the disk
   * @param shape its parameters
   */
  public static Plan plan(Path folder, DiskShape shape) {
    return new Plan() {
      @Override
      public String name() {
        return "simulated disk";
      }

      @Override
      public SimDisk open() throws InterruptedException {
        return start(folder, shape);
      }
    };
  }

  /**
   * Creates a simulated disk.
   *
   * @throws DiskFailure if the disk cannot be created; the message has the reason
   */
  private static SimDisk start(Path folder, DiskShape shape) throws InterruptedException {
    try {
      Files.createDirectories(folder);
      List<String> realTime = realTime(CHRT);
      Process process =
          new ProcessBuilder(OwnSession.of(command(realTime, folder, shape)))
              .redirectError(log(folder).toFile())
              .start();
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String ready = firstLineWith(output, "ready ");
      if (ready == null) {
        throw new DiskFailure(
            "cannot create the simulated disk: " + Files.readString(log(folder)).strip());
      }
      Map<String, String> about = new LinkedHashMap<>(shape.about());
      about.put(
          "priority of the simulated disk",
          realTime.isEmpty() ? "normal: no real-time priority is granted" : "real time");
      return new SimDisk(process, output, folder, about, ready.substring("ready ".length()));
    } catch (IOException e) {
      throw new DiskFailure("cannot create the simulated disk: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the beginning of a command that gets a real-time priority: a busy machine would slow
   * the disk down. Returns nothing if the system refuses that priority, as it may even to root.
   */
  static List<String> realTime(Path chrt) throws InterruptedException {
    if (!Files.isExecutable(chrt)) {
      return List.of();
    }
    List<String> beginning = List.of(chrt.toString(), "-f", "10");
    List<String> trial = new ArrayList<>(beginning);
    trial.add("true");
    try {
      Process process =
          new ProcessBuilder(OwnSession.of(trial))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0 ? beginning : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<String> command(List<String> realTime, Path folder, DiskShape shape) {
    List<String> command = new ArrayList<>(realTime);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(DiskServer.class.getName());
    command.add(folder.toString());
    command.addAll(shape.arguments());
    return command;
  }

  private static Path log(Path folder) {
    return folder.resolveSibling(folder.getFileName() + ".log");
  }

  private static @Nullable String firstLineWith(BufferedReader output, String start)
      throws IOException {
    String line = output.readLine();
    while (line != null && !line.startsWith(start)) {
      line = output.readLine();
    }
    return line;
  }

  /** Turns the delay of requests on or off. It is on at the start. */
  public void charge(boolean on) {
    send(on ? DiskServer.CHARGE : DiskServer.FREE);
  }

  /** Returns the counts of delayed requests. */
  public DiskCounts counts() {
    return DiskCounts.of(send(DiskServer.COUNT));
  }

  private String send(String what) {
    try {
      process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      String answer = firstLineWith(output, "done ");
      if (answer == null) {
        throw new ClusterFailure("the simulated disk has ended");
      }
      return answer.substring("done ".length());
    } catch (IOException e) {
      throw new ClusterFailure("the simulated disk has ended: " + e.getMessage(), e);
    }
  }

  /** Returns the folder of its block device in {@code /sys/block}. */
  public Path sysfs() {
    return Path.of("/sys/block", device.replace("/dev/", ""));
  }

  @Override
  public Path folder() {
    return DiskServer.mounted(folder);
  }

  @Override
  public Map<String, String> about() {
    return about;
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(log(folder));
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
