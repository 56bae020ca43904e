package io.sluice.host.change;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Restores the values of a record. Repeats over all files until each has its value, because the
 * kernel may change a file when another is written, or refuse one until another is written.
 */
final class Restoration {
  private static final int PASSES = 4;
  private static final Pattern DEVICE = Pattern.compile("/sys/block/[^/]+");

  private final HostTree tree;

  Restoration(HostTree tree) {
    this.tree = tree;
  }

  /**
   * Restores every file.
   *
   * @return the reasons for which some files are not as before, each with its path; empty if all
   *     are
   */
  List<String> run(List<Change> changes) {
    for (int pass = 0; pass < PASSES; pass++) {
      changes.forEach(this::restore);
      if (changes.stream().noneMatch(this::differs)) {
        return List.of();
      }
    }
    return stillDiffering(changes);
  }

  private List<String> stillDiffering(List<Change> changes) {
    List<String> reasons = new ArrayList<>();
    for (Change change : changes) {
      if (differs(change)) {
        String reason = restore(change);
        if (reason != null || differs(change)) {
          reasons.add(reason == null ? change.path() + " keeps another value" : reason);
        }
      }
    }
    return reasons;
  }

  private boolean differs(Change change) {
    String before = change.before();
    return before != null && !now(change).equals(Optional.of(before)) && !isGone(change.path());
  }

  /** Whether the file belongs to a device that was removed, and so is gone. */
  private boolean isGone(String path) {
    Matcher device = DEVICE.matcher(path);
    try {
      return device.lookingAt() && tree.list(device.group()).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private Optional<String> now(Change change) {
    try {
      return tree.read(change.path()).map(KernelValue::of);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Restores a file. Returns why it could not be written, or null. */
  private @Nullable String restore(Change change) {
    String before = change.before();
    if (before == null || !differs(change)) {
      return null;
    }
    try {
      tree.write(change.path(), before);
      return null;
    } catch (IOException e) {
      return zeroByOther(change, before) ? null : e.getMessage();
    }
  }

  /**
   * Makes the kernel set this file to zero, by writing any other value to the other file of the
   * pair. A later pass restores that file.
   */
  private boolean zeroByOther(Change change, String before) {
    Optional<String> other = Consequences.zeroedBy(change.path());
    if (!before.equals("0") || other.isEmpty()) {
      return false;
    }
    try {
      String value = tree.read(other.get()).orElse("").strip();
      tree.write(other.get(), value.equals("1") ? "2" : "1");
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
