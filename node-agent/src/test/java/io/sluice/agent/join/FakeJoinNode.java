package io.sluice.agent.join;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A node whose bootstrap the test ends. */
final class FakeJoinNode implements JoinNode {
  final List<String> said = new CopyOnWriteArrayList<>();
  final List<String> ended = new CopyOnWriteArrayList<>();
  volatile boolean bootstrapping = true;
  volatile boolean fails;

  @Override
  public boolean isBootstrapping() {
    if (fails) {
      throw new IllegalStateException("the bean of the node fails");
    }
    return bootstrapping;
  }

  @Override
  public void begins(Join join) {}

  @Override
  public void ended(String why, @Nullable Throwable cause) {
    ended.add(why);
  }

  @Override
  public void say(String text) {
    said.add(text);
  }

  @Override
  public long nanos() {
    return 0;
  }
}
