package io.sluice.torture;

import io.sluice.torture.check.History;
import io.sluice.torture.load.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Writes the history of a run that ends early, by Ctrl-C or by an exception, so that it can be
 * judged. Safe for any thread.
 */
final class Rescue implements AutoCloseable {
  private final Journal journal;
  private final Path file;
  private final Consumer<String> say;
  private final Thread hook = new Thread(this::write, "torture-rescue");
  private boolean over;

  private Rescue(Journal journal, Path file, Consumer<String> say) {
    this.journal = journal;
    this.file = file;
    this.say = say;
  }

  /** Creates a rescue, which is active until {@link #deactivate}. */
  static Rescue of(Journal journal, Path file, Consumer<String> say) {
    Rescue rescue = new Rescue(journal, file, say);
    Runtime.getRuntime().addShutdownHook(rescue.hook);
    return rescue;
  }

  /** Deactivates the rescue: the run has ended normally. */
  synchronized void deactivate() {
    over = true;
  }

  /** Writes the history if the run has not ended normally. */
  @Override
  public void close() {
    write();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down; the hook finds nothing left to write.
    }
  }

  private synchronized void write() {
    if (over) {
      return;
    }
    over = true;
    try {
      History history = journal.cut();
      HistoryFile.write(history, file);
      say.accept("ended early; judge it with --judge " + file);
    } catch (IOException e) {
      say.accept("ended early; the history cannot be written: " + e.getMessage());
    }
  }
}
