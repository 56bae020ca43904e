package io.sluice.agent.node;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The contents and names of files that a power cut may take, derived from the system calls of the
 * process that wrote them: the lines of {@code strace -f -y}. A sync that has ended covers data
 * written before it began.
 */
final class UnsyncedFiles {
  private static final Pattern LINE = Pattern.compile("^(?:\\[pid +)?([0-9]+)\\]? +(.*)$");
  private static final Pattern RESUMED = Pattern.compile("^<\\.\\.\\. (\\w+) resumed>.*$");
  private static final Pattern CALL = Pattern.compile("^(\\w+)\\((.*)$");
  private static final Pattern DESCRIPTOR = Pattern.compile("^[0-9]+<([^>]*)>.*$");
  private static final Pattern NAME = Pattern.compile("\"([^\"]*)\"");
  private static final Pattern RESULT = Pattern.compile("^.*\\) += ([0-9]+)$");
  private static final Set<String> WRITES =
      Set.of("write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate");
  private static final Set<String> SYNCS = Set.of("fsync", "fdatasync");

  private static final class State {
    private long created = -1;
    private long named = -1;
    private long written = -1;
    private long synced = -1;
    private long length;
    private long syncedLength;
  }

  private record Begun(String call, String path, long at, long length) {}

  private final Map<String, State> files = new HashMap<>();
  private final Map<String, Begun> begun = new HashMap<>();
  private long now;

  /** Reads the next line. */
  void line(String line) {
    now++;
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      return;
    }
    String thread = parts.group(1);
    String text = parts.group(2);
    if (RESUMED.matcher(text).matches()) {
      Begun call = begun.remove(thread);
      if (call != null && !failed(text)) {
        ended(call, text);
      }
      return;
    }
    Matcher call = CALL.matcher(text);
    if (!call.matches()) {
      return;
    }
    String path = path(call.group(1), call.group(2));
    if (path.isEmpty()) {
      return;
    }
    State known = files.get(path);
    Begun next = new Begun(call.group(1), path, now, known == null ? 0 : known.length);
    if (text.contains("O_TRUNC") && known != null) {
      known.length = 0;
      known.syncedLength = 0;
    }
    if (WRITES.contains(next.call())) {
      state(next.path()).written = now;
    }
    if (text.endsWith("<unfinished ...>")) {
      begun.put(thread, next);
    } else if (!failed(text)) {
      ended(next, text);
    }
  }

  private static boolean failed(String text) {
    return text.contains(") = -1 ") || text.contains(">) = -1 ");
  }

  /** Returns the path; for a rename, both names with a blank between them. */
  private static String path(String call, String arguments) {
    if (WRITES.contains(call) || SYNCS.contains(call)) {
      Matcher descriptor = DESCRIPTOR.matcher(arguments);
      return descriptor.matches() ? descriptor.group(1) : "";
    }
    Deque<String> names = new ArrayDeque<>();
    Matcher name = NAME.matcher(arguments);
    while (name.find()) {
      names.add(name.group(1));
    }
    if (call.startsWith("rename") && names.size() == 2) {
      return names.getFirst() + " " + names.getLast();
    }
    boolean makes = call.startsWith("open") && arguments.contains("O_CREAT");
    return (makes || call.startsWith("unlink")) && !names.isEmpty() ? names.getFirst() : "";
  }

  private void ended(Begun call, String text) {
    if (WRITES.contains(call.call())) {
      state(call.path()).written = now;
      state(call.path()).length += result(text);
    } else if (SYNCS.contains(call.call())) {
      State its = state(call.path());
      its.synced = Math.max(its.synced, call.at());
      its.syncedLength = Math.max(its.syncedLength, call.length());
      files.forEach((path, state) -> nameSynced(call, path, state));
    } else if (call.call().startsWith("rename")) {
      String[] names = call.path().split(" ", -1);
      State moved = files.remove(names[0]);
      State before = files.get(names[1]);
      if (moved != null) {
        moved.named = before == null ? -1 : before.named;
        moved.created = before == null ? now : before.created;
        files.put(names[1], moved);
      }
    } else if (call.call().startsWith("unlink")) {
      files.remove(call.path());
    } else if (!files.containsKey(call.path())) {
      state(call.path()).created = now;
    }
  }

  /** Returns the result of a call. Files are written from start to end. */
  private static long result(String text) {
    Matcher result = RESULT.matcher(text);
    return result.matches() ? Long.parseLong(result.group(1)) : 0;
  }

  private static void nameSynced(Begun call, String path, State state) {
    if (path.startsWith(call.path() + "/")
        && path.indexOf('/', call.path().length() + 1) < 0
        && state.created <= call.at()) {
      state.named = Math.max(state.named, call.at());
    }
  }

  private State state(String path) {
    return files.computeIfAbsent(path, key -> new State());
  }

  /**
   * Returns files whose contents may be lost, each with the number of bytes that cannot be lost.
   */
  Map<String, Long> unsynced() {
    Map<String, Long> found = new TreeMap<>();
    files.forEach(
        (path, state) -> {
          if (state.written > state.synced) {
            found.put(path, state.syncedLength);
          }
        });
    return found;
  }

  /** Returns files whose names may be lost. */
  Set<String> unnamed() {
    Set<String> found = new HashSet<>();
    files.forEach(
        (path, state) -> {
          if (state.created > state.named) {
            found.add(path);
          }
        });
    return found;
  }
}
