package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** Simulated ways to keep files. They take one page of a file after another, and no memory. */
final class FakeHolds {
  static final int PAGE = 4096;

  /** The paths of files that are kept now. */
  final Set<String> open = new TreeSet<>();

  /** The paths of files that are not as listed. */
  final Set<String> refused = new HashSet<>();

  /** Whether files can be locked. */
  boolean lockable = true;

  /** The bytes of files and of others that can be locked. */
  long lockLimit = Long.MAX_VALUE;

  private long locked;

  Holder locking() {
    return new FakeHolder(false);
  }

  Holder touching() {
    return new FakeHolder(true);
  }

  private final class FakeHolder implements Holder {
    private final boolean repeats;

    FakeHolder(boolean repeats) {
      this.repeats = repeats;
    }

    @Override
    public String mode() {
      return repeats ? "touched" : "locked";
    }

    @Override
    public int pageSize() {
      return PAGE;
    }

    @Override
    public long room() {
      return repeats ? Long.MAX_VALUE : lockLimit - locked;
    }

    @Override
    public boolean repeats() {
      return repeats;
    }

    @Override
    public Hold hold(IndexFile file) throws IOException {
      if (!Files.exists(Path.of(file.path())) || refused.contains(file.path())) {
        throw new FileChanged(file);
      }
      assertThat(open.add(file.path())).isTrue();
      return new FakeHold(file, repeats);
    }
  }

  /** A hold that keeps one more page with each piece of work. */
  private final class FakeHold implements Hold {
    private final IndexFile file;
    private final boolean repeats;
    private long held;
    private int pieces;

    FakeHold(IndexFile file, boolean repeats) {
      this.file = file;
      this.repeats = repeats;
    }

    @Override
    public IndexFile file() {
      return file;
    }

    @Override
    public long heldBytes() {
      return held;
    }

    @Override
    public boolean proceed() throws IOException {
      if (!repeats && (!lockable || locked + PAGE > lockLimit)) {
        throw new LockRefused(new IOException("mlock failed, errno 12"));
      }
      if (refused.contains(file.path())) {
        throw new FileChanged(file);
      }
      long whole = PinPlan.pages(file.bytes(), PAGE);
      pieces++;
      if (!repeats && held < whole) {
        locked += PAGE;
      }
      held = Math.min(whole, held + PAGE);
      return pieces % (whole / PAGE) != 0;
    }

    @Override
    public boolean isCurrent() {
      return Path.of(file.path()).toFile().length() == file.bytes();
    }

    @Override
    public long residentBytes() {
      return held;
    }

    @Override
    public void close() {
      assertThat(open.remove(file.path())).isTrue();
      locked -= repeats ? 0 : held;
      held = 0;
    }
  }
}
