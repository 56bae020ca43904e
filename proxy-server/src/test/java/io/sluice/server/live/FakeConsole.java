package io.sluice.server.live;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The console of a proxy with one node and one request. It records all changes. */
public class FakeConsole implements ConsoleView {

  /** The id of the request that can be ended. */
  public static final long UNDER_WAY = 4097;

  /** The calls, in their order. */
  public final List<String> told = new CopyOnWriteArrayList<>();

  /** The mode that was set; null for the mode of the file. */
  private volatile @Nullable String mode;

  @Override
  public void select(String cql, Consumer<String> then) {
    if (cql.contains("system_proxy.settings")) {
      String set = mode;
      then.accept(
          "[{\"value\":\"%s\",\"source\":\"%s\"}]"
              .formatted(set == null ? "enforce" : set, set == null ? "default" : "console"));
    } else {
      then.accept(cql.contains("system_proxy.nodes") ? "[{\"node\":\"n1\"}]" : "[]");
    }
  }

  @Override
  public void end(long request, String operator, Consumer<Boolean> then) {
    told.add("end " + request + " by " + operator);
    then.accept(request == UNDER_WAY);
  }

  @Override
  public @Nullable String set(String key, @Nullable String value, String operator) {
    told.add("set " + key + " to " + value + " by " + operator);
    mode = value;
    return null;
  }
}
