package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.hook.PinHook;
import io.sluice.agent.hook.PinMXBean;
import io.sluice.agent.pin.PinSettings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.LogTransaction.SSTableTidier;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableReader.OpenReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code pin}, from the changed classes to the kernel, with stand-ins for Cassandra's classes. */
@EnabledOnOs(OS.LINUX)
class PinHooksTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ClassHooks hooks =
      new ClassHooks(List.of(new TrackerClassHook(), new DeletionClassHook()));

  @TempDir private Path folder;

  /** Held here, because the agent does not keep a table's tracker alive. */
  private Object tracker;

  /** The attributes of Cassandra's storage service that the agent reads. */
  public interface Storage {
    boolean isInitialized();
  }

  /** The attributes of a table's metric that the agent reads. */
  public interface Metric {
    long getCount();
  }

  /** Defines one class from given bytes. */
  private static final class OneClass extends ClassLoader {
    OneClass() {
      super(PinHooksTest.class.getClassLoader());
    }

    Class<?> define(String name, byte[] classFile) {
      return defineClass(name, classFile, 0, classFile.length);
    }
  }

  @BeforeEach
  void prepare() throws Exception {
    register("org.apache.cassandra.db:type=StorageService", Storage.class, () -> true);
    register(
        "org.apache.cassandra.metrics:type=Table,keyspace=k,scope=t,name=ReadLatency",
        Metric.class,
        () -> 1000L);
    PinHook.prepare(PinSettings.parse("4MiB", "", "", new ArrayList<>()));
  }

  private <T> void register(String name, Class<T> type, T bean) throws Exception {
    server.registerMBean(new StandardMBean(bean, type), new ObjectName(name));
  }

  @AfterEach
  void end() throws Exception {
    PinHook.misfit();
    for (String each : List.of("io.sluice:*", "org.apache.cassandra.*:*")) {
      for (ObjectName name : server.queryNames(new ObjectName(each), null)) {
        server.unregisterMBean(name);
      }
    }
  }

  private PinMXBean bean() throws Exception {
    return JMX.newMXBeanProxy(server, new ObjectName("io.sluice:type=Pin"), PinMXBean.class);
  }

  private Object changed(Class<?> type, Class<?>[] parameters, Object... arguments)
      throws Exception {
    byte[] classFile =
        hooks.transform(
            getClass().getClassLoader(),
            type.getName().replace('.', '/'),
            null,
            null,
            classFile(type));
    return new OneClass()
        .define(type.getName(), Objects.requireNonNull(classFile))
        .getConstructor(parameters)
        .newInstance(arguments);
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    String resource = type.getName().replace('.', '/') + ".class";
    try (InputStream in =
        Objects.requireNonNull(type.getClassLoader().getResourceAsStream(resource))) {
      return in.readAllBytes();
    }
  }

  private Object tracker() throws Exception {
    tracker =
        changed(
            Tracker.class,
            new Class<?>[] {ColumnFamilyStore.class},
            new ColumnFamilyStore("k", "t"));
    return tracker;
  }

  private static void show(Object tracker, SSTableReader... sstables) throws Exception {
    tracker.getClass().getMethod("show", Set.class).invoke(tracker, Set.of(sstables));
  }

  private SSTableReader sstable(String name) throws IOException {
    Files.write(folder.resolve(name + "-Index.db"), new byte[300_000]);
    return new SSTableReader(folder.resolve(name + "-Data.db").toString(), OpenReason.NORMAL);
  }

  private void awaitLocked(String name) {
    await()
        .untilAsserted(
            () ->
                assertThat(Maps.lockedBytes(folder.resolve(name + "-Index.db")))
                    .isGreaterThanOrEqualTo(300_000));
  }

  @Test
  void what_a_tracker_shows_is_locked_until_it_is_about_to_be_deleted() throws Exception {
    tracker = tracker();
    show(tracker, sstable("nb-1-big"), sstable("nb-2-big"));
    awaitLocked("nb-1-big");
    awaitLocked("nb-2-big");
    PinMXBean bean = bean();
    assertThat(bean.getMode()).isEqualTo("locked");
    assertThat(bean.getPinnedBytesByTable()).containsOnlyKeys("k.t");
    assertThat(bean.getPinnedBytes()).isBetween(600_000L, bean.getBudgetBytes());
    assertThat(bean.getPinnedFiles()).isEqualTo(2);
    assertThat(bean.getResidentShare()).isEqualTo(1);
    assertThat(bean.getReport()).startsWith("enabled=true mode=locked budget=4194304 allowed=");

    Path base = folder.resolve("nb-1-big");
    List<Integer> mapped = new ArrayList<>();
    Consumer<Object> delete = descriptor -> mapped.add(mappings(base));
    ((Runnable)
            changed(
                SSTableTidier.class, new Class<?>[] {Object.class, Consumer.class}, base, delete))
        .run();
    assertThat(mapped).containsExactly(0);
    assertThat(bean.getPinnedFiles()).isEqualTo(1);

    show(tracker);
    await().untilAsserted(() -> assertThat(Maps.of(folder)).isEmpty());
  }

  private static int mappings(Path base) {
    try {
      return Maps.of(base).size();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void the_bean_switches_it_off_and_on_and_changes_the_budget() throws Exception {
    show(tracker(), sstable("nb-1-big"));
    awaitLocked("nb-1-big");

    bean().setEnabled(false);
    await().untilAsserted(() -> assertThat(Maps.of(folder)).isEmpty());
    bean().setEnabled(true);
    awaitLocked("nb-1-big");
    bean().setBudgetBytes(4096);
    await().untilAsserted(() -> assertThat(Maps.of(folder)).isEmpty());
    assertThat(bean().getWantedBytes()).isGreaterThanOrEqualTo(300_000);
    assertThat(bean().getShortages()).isZero();
  }

  @Test
  void a_deletion_that_has_no_descriptor_ends_the_room() throws Exception {
    show(tracker(), sstable("nb-1-big"));
    awaitLocked("nb-1-big");

    assertThat(
            hooks.transform(
                getClass().getClassLoader(),
                SSTableTidier.class.getName().replace('.', '/'),
                null,
                null,
                renamed(classFile(SSTableTidier.class), "desc", "dexc")))
        .isNull();

    assertThat(Maps.of(folder)).isEmpty();
    assertThat(server.queryNames(new ObjectName("io.sluice:*"), null)).isEmpty();
  }

  @Test
  void sstables_that_are_not_as_expected_end_the_room_and_not_their_caller() throws Exception {
    tracker = tracker();
    show(tracker, sstable("nb-1-big"));
    awaitLocked("nb-1-big");

    PinHook.changed("not a tracker");

    await()
        .untilAsserted(
            () -> assertThat(server.queryNames(new ObjectName("io.sluice:*"), null)).isEmpty());
    assertThat(Maps.of(folder)).isEmpty();
    show(tracker, sstable("nb-2-big"));
    PinHook.deleting(folder.resolve("nb-1-big"));
    PinHook.deleting("");
  }

  @Test
  void a_tracker_without_the_method_is_left_alone() throws Exception {
    assertThat(
            hooks.transform(
                getClass().getClassLoader(),
                Tracker.class.getName().replace('.', '/'),
                null,
                null,
                renamed(classFile(Tracker.class), "apply", "applx")))
        .isNull();
    assertThat(server.queryNames(new ObjectName("io.sluice:*"), null)).isEmpty();
  }

  private static byte[] renamed(byte[] classFile, String from, String to) {
    String text = new String(classFile, StandardCharsets.ISO_8859_1);
    String length = "\0" + (char) from.length();
    return text.replace("\u0001" + length + from, "\u0001" + length + to)
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
