package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.fleet.PeerWatch.Heartbeats;
import io.sluice.fleet.PeerWatch.PeerChange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests lookups of names: each change is reported once, and no failure stops the lookups. */
class PeerWatchTest {
  private static final InetSocketAddress SELF = peer(1);

  private final Map<String, List<Integer>> names = new HashMap<>();
  private final List<PeerChange> told = new ArrayList<>();

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static InetSocketAddress peer(int last) {
    return new InetSocketAddress(address(last), 9042);
  }

  private static InetSocketAddress name(String name) {
    return InetSocketAddress.createUnresolved(name, 9042);
  }

  private List<InetAddress> lookUp(String name) throws UnknownHostException {
    List<Integer> found = names.get(name);
    if (found == null) {
      throw new UnknownHostException(name);
    }
    return found.stream().map(PeerWatchTest::address).toList();
  }

  private PeerWatch watch(InetSocketAddress... given) {
    return new PeerWatch(List.of(given), SELF, this::lookUp, told::add);
  }

  @Test
  void a_change_is_reported_once() {
    names.put("a", List.of(1, 2));
    PeerWatch watch = watch(name("a"));

    watch.look();
    watch.look();
    names.put("a", List.of(1));
    watch.look();
    watch.look();

    InetSocketAddress other = peer(2);
    assertThat(told)
        .containsExactly(
            new PeerChange(List.of(other), List.of(other), List.of()),
            new PeerChange(List.of(), List.of(), List.of(other)));
  }

  @Test
  void an_unknown_name_does_not_affect_others() {
    names.put("b", List.of(3));
    PeerWatch watch = watch(name("a"), name("b"));

    watch.look();
    names.put("a", List.of(2));
    names.remove("b");
    watch.look();

    assertThat(told).hasSize(2);
    assertThat(told.get(1).all()).containsExactly(peer(2), peer(3));
  }

  @Test
  @Timeout(60)
  void a_heartbeat_does_not_wait_for_a_lookup() throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    PeerWatch.Names slow =
        name -> {
          asked.complete(name);
          return answer.join();
        };
    PeerWatch watch = new PeerWatch(List.of(name("a")), SELF, slow, told::add);

    CompletableFuture<Void> lookup = CompletableFuture.runAsync(watch::look, PeerWatchTest::thread);
    assertThat(asked.get(20, TimeUnit.SECONDS)).isEqualTo("a");
    CompletableFuture<Void> heartbeat =
        CompletableFuture.runAsync(() -> watch.alive(Set.of(peer(3))), PeerWatchTest::thread);
    try {
      heartbeat.get(20, TimeUnit.SECONDS);
      assertThat(told).extracting(PeerChange::all).containsExactly(List.of(peer(3)));
    } finally {
      answer.complete(List.of(address(2)));
    }
    lookup.get(20, TimeUnit.SECONDS);
    assertThat(told).last().extracting(PeerChange::all).isEqualTo(List.of(peer(2), peer(3)));
  }

  private static void thread(Runnable task) {
    new Thread(task).start();
  }

  /** A dual-stack service has two addresses for each proxy, this one included. */
  @Test
  void of_a_name_with_both_ip_versions_those_of_the_own_address_count() throws Exception {
    InetAddress six = InetAddress.getByName("fd00::2");
    PeerWatch.Names dual =
        name ->
            name.equals("both")
                ? List.of(InetAddress.getByName("fd00::1"), address(1), six, address(2))
                : List.of(six);

    new PeerWatch(List.of(name("both")), SELF, dual, told::add).look();
    assertThat(told).last().extracting(PeerChange::all).isEqualTo(List.of(peer(2)));

    new PeerWatch(List.of(name("other")), SELF, dual, told::add).look();
    assertThat(told)
        .last()
        .as("the only version of the name")
        .extracting(PeerChange::all)
        .isEqualTo(List.of(new InetSocketAddress(six, 9042)));
  }

  @Test
  @Timeout(30)
  void names_are_looked_up_in_a_separate_thread() throws Exception {
    CompletableFuture<String> thread = new CompletableFuture<>();
    InetSocketAddress self = peer(9);

    try (PeerWatch watch =
        PeerWatch.begin(
            new FleetConfig(self, List.of(name("localhost")), false),
            null,
            null,
            change -> thread.complete(Thread.currentThread().getName() + change.joined()),
            new Homes.Listener(List::of, homes -> {}),
            Heartbeats.SILENT)) {
      assertThat(watch).isNotNull();
      assertThat(thread.get(20, TimeUnit.SECONDS)).startsWith("sluice-peers").contains(":9042");
    }
  }

  @Test
  void without_names_there_is_no_thread() {
    // The thread of another test may not have ended yet.
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (PeerWatch watch =
        PeerWatch.begin(
            new FleetConfig(SELF, List.of(SELF), false),
            null,
            null,
            told::add,
            new Homes.Listener(List::of, homes -> {}),
            Heartbeats.SILENT)) {
      assertThat(watch).isNotNull();
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !before.contains(thread))
          .extracting(Thread::getName)
          .doesNotContain("sluice-peers");
    }
  }
}
