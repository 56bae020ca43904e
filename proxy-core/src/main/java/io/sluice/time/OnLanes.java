package io.sluice.time;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects facts about objects that belong to several lanes, each on its own lane. Stateless. */
public final class OnLanes {

  private OnLanes() {}

  /**
   * Collects one fact from each object, and calls {@code then} once with all of them. No lane waits
   * for another.
   *
   * @param laneOf returns the lane of an object
   * @param fact called on the object's lane; a null result leaves the object out
   * @param to the lane on which {@code then} is called
   */
  public static <S, T> void collect(
      Collection<? extends S> things,
      Function<S, Lane> laneOf,
      Function<S, @Nullable T> fact,
      Lane to,
      Consumer<List<T>> then) {
    Map<Lane, List<S>> byLane = new HashMap<>();
    things.forEach(
        thing -> byLane.computeIfAbsent(laneOf.apply(thing), l -> new ArrayList<>()).add(thing));
    Queue<T> facts = new ConcurrentLinkedQueue<>();
    AtomicInteger missing = new AtomicInteger(byLane.size() + 1);
    Runnable told =
        () -> {
          if (missing.decrementAndGet() == 0) {
            to.run(() -> then.accept(List.copyOf(facts)));
          }
        };
    byLane.forEach(
        (lane, own) ->
            lane.run(
                () -> {
                  try {
                    own.forEach(thing -> add(fact, thing, facts));
                  } finally {
                    told.run();
                  }
                }));
    told.run();
  }

  private static <S, T> void add(Function<S, @Nullable T> fact, S thing, Queue<T> facts) {
    T value = fact.apply(thing);
    if (value != null) {
      facts.add(value);
    }
  }
}
