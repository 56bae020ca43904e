package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.hook.JoinHook;
import io.sluice.agent.hook.JoinMXBean;
import io.sluice.agent.join.UnsyncedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.lifecycle.LogReplica;
import org.apache.cassandra.db.streaming.CassandraIncomingFile;
import org.apache.cassandra.db.streaming.CassandraStreamReceiver;
import org.apache.cassandra.io.util.ChecksumWriter;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.io.util.FileOutputStreamPlus;
import org.apache.cassandra.io.util.FileUtils;
import org.apache.cassandra.io.util.SequentialWriter;
import org.apache.cassandra.streaming.StreamSession;
import org.apache.cassandra.utils.SyncUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The deferral of syncs, from the changed classes to the kernel, with stand-ins for Cassandra's
 * classes.
 */
@EnabledOnOs(OS.LINUX)
class JoinHooksTest {
  private static final List<Class<?>> HOOKED =
      List.of(
          CassandraStreamReceiver.class,
          CassandraIncomingFile.class,
          LogReplica.class,
          SequentialWriter.class,
          SyncUtil.class,
          FileOutputStreamPlus.class,
          FileUtils.class,
          ChecksumWriter.class,
          CompactionManager.class);

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ClassHooks hooks =
      new ClassHooks(
          List.of(
              new ReceiverClassHook(),
              new IncomingFileClassHook(),
              new LogClassHook(),
              WholeFileClassHook.ofLists(),
              WholeFileClassHook.ofChecksums(),
              new WriterClassHook(),
              new SyncClassHook(),
              new OutputClassHook(),
              new CompactionClassHook()));
  private final AtomicBoolean bootstrapping = new AtomicBoolean();
  private final Changed changed = new Changed();

  @TempDir private Path folder;

  /** The attributes of Cassandra's storage service that the agent reads, in 4.0 and 4.1. */
  public interface Storage {
    boolean isBootstrapMode();
  }

  /** The same in 5.0 and 6.0. */
  public interface LaterStorage extends Storage {
    String getBootstrapState();
  }

  /**
   * Changes the classes that have a hook and the classes that link to them. May rename members
   * before.
   */
  private final class Changed extends ClassLoader {
    private final Map<String, String> breaks = new HashMap<>();
    private final Map<String, String> after = new HashMap<>();

    Changed() {
      super(JoinHooksTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      boolean hooked = HOOKED.stream().anyMatch(each -> each.getName().equals(name));
      if (!hooked && !name.equals(File.class.getName())) {
        return super.loadClass(name, resolve);
      }
      try {
        byte[] bytes = renamed(classFile(name), breaks);
        byte[] better = hooks.transform(this, name.replace('.', '/'), null, null, bytes);
        bytes = renamed(better == null ? bytes : better, after);
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    private byte[] classFile(String name) throws IOException {
      try (InputStream in =
          Objects.requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"))) {
        return in.readAllBytes();
      }
    }

    private byte[] renamed(byte[] classFile, Map<String, String> names) {
      String text = new String(classFile, StandardCharsets.ISO_8859_1);
      for (Map.Entry<String, String> each : names.entrySet()) {
        String length = "\0" + (char) each.getKey().length();
        text = text.replace("\u0001" + length + each.getKey(), "\u0001" + length + each.getValue());
      }
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  @BeforeEach
  void prepare() throws Exception {
    Storage storage = bootstrapping::get;
    server.registerMBean(
        new StandardMBean(storage, Storage.class),
        new ObjectName("org.apache.cassandra.db:type=StorageService"));
    JoinHook.prepare();
  }

  @AfterEach
  void end() throws Exception {
    bootstrapping.set(false);
    for (String each : List.of("io.sluice:*", "org.apache.cassandra.*:*")) {
      for (ObjectName name : server.queryNames(new ObjectName(each), null)) {
        server.unregisterMBean(name);
      }
    }
  }

  private JoinMXBean bean() throws Exception {
    return JMX.newMXBeanProxy(server, new ObjectName("io.sluice:type=Join"), JoinMXBean.class);
  }

  private Object made(Class<?> type, Class<?>[] parameters, Object... arguments) throws Exception {
    return changed.loadClass(type.getName()).getConstructor(parameters).newInstance(arguments);
  }

  private Object receiver() throws Exception {
    return made(CassandraStreamReceiver.class, new Class<?>[0]);
  }

  private Object file(Object receiver, String path) throws Exception {
    return made(
        CassandraIncomingFile.class,
        new Class<?>[] {StreamSession.class, String.class},
        new StreamSession(receiver),
        path);
  }

  private String path(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "text").toString();
  }

  private static Object call(Object owner, String method, Object... arguments) throws Exception {
    for (Method each : owner.getClass().getMethods()) {
      if (each.getName().equals(method) && each.getParameterCount() == arguments.length) {
        try {
          return each.invoke(owner, arguments);
        } catch (InvocationTargetException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw (Exception) e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(method);
  }

  private static Object field(Object owner, String name) throws Exception {
    return owner.getClass().getField(name).get(owner);
  }

  private int syncs(Object file) throws Exception {
    return (int) field(field(file, "data"), "syncs")
        + (int) field(field(file, "filter"), "syncs")
        + folderSyncs();
  }

  private int folderSyncs() throws Exception {
    return changed.loadClass(SyncUtil.class.getName()).getField("folders").getInt(null);
  }

  private static void set(Object owner, String name, Object value) throws Exception {
    owner.getClass().getField(name).set(owner, value);
  }

  private int channelSyncs() throws Exception {
    return changed.loadClass(SyncUtil.class.getName()).getField("channels").getInt(null);
  }

  private Object received(Object receiver, String path) throws Exception {
    Object file = file(receiver, path);
    receive(receiver, file);
    return file;
  }

  private static void receive(Object receiver, Object file) throws Exception {
    call(file, "read", "in", 12);
    call(receiver, "received", file);
  }

  @Test
  void syncs_of_streamed_files_are_deferred_to_the_commit() throws Exception {
    Object receiver = receiver();
    Object file = received(receiver, path("nb-1-big-Data.db"));

    assertThat(syncs(file)).isZero();
    assertThat(bean().getSyncsPutOff()).isEqualTo(4);
    assertThat(bean().getFilesWaiting()).isEqualTo(2);
    assertThat(bean().getFilesSynced()).isZero();

    call(receiver, "finishTransaction");

    assertThat(field(receiver, "committed")).isEqualTo(true);
    assertThat(bean().getFilesSynced()).isEqualTo(2);
    assertThat(bean().getBytesSynced()).isEqualTo(8);
    assertThat(bean().getFilesWaiting()).isZero();
    assertThat(bean().getBarriers()).isOne();
    assertThat(bean().getReport()).startsWith("enabled=true syncsPutOff=4 filesSynced=2");
  }

  @Test
  void the_sync_of_a_component_list_is_deferred_too() throws Exception {
    Object receiver = receiver();
    Object file = file(receiver, path("nb-1-big-Data.db"));
    set(file, "list", folder.resolve("nb-1-big-TOC.txt").toString());

    receive(receiver, file);
    assertThat(channelSyncs()).isZero();
    assertThat(bean().getFilesWaiting()).isEqualTo(3);

    call(receiver, "finishTransaction");
    assertThat(bean().getFilesSynced()).isEqualTo(3);
    assertThat(bean().getBytesSynced()).isEqualTo(8 + "Data.db".length());
  }

  @Test
  void the_sync_of_a_checksum_is_deferred_too() throws Exception {
    Object receiver = receiver();
    Object file = file(receiver, path("nb-1-big-Data.db"));
    set(file, "checksum", path("nb-1-big-Digest.crc32"));

    receive(receiver, file);
    assertThat(field(field(file, "checksumWriter"), "synced")).isInstanceOf(UnsyncedChannel.class);
    assertThat(bean().getSyncsPutOff()).isEqualTo(5);
    assertThat(bean().getFilesWaiting()).isEqualTo(3);

    call(receiver, "finishTransaction");
    assertThat(bean().getFilesSynced()).isEqualTo(3);
  }

  @Test
  void the_checksum_of_another_file_is_synced_at_once() throws Exception {
    receiver();
    Object writer = made(ChecksumWriter.class, new Class<?>[0]);

    call(writer, "writeFullChecksum", made(File.class, new Class<?>[] {String.class}, path("x")));

    assertThat(field(writer, "synced")).isNotInstanceOf(UnsyncedChannel.class);
  }

  /** Cassandra syncs the log before the record is in it, which the agent does afterwards. */
  @Test
  void the_log_of_the_stream_is_synced_only_once() throws Exception {
    received(receiver(), path("nb-1-big-Data.db"));
    assertThat(channelSyncs()).isZero();

    bean().setEnabled(false);
    received(receiver(), path("nb-2-big-Data.db"));
    assertThat(channelSyncs()).isOne();
  }

  @Test
  void another_list_of_lines_is_synced_at_once() throws Exception {
    Object receiver = receiver();
    Object file = file(receiver, path("nb-1-big-Data.db"));
    set(file, "list", folder.resolve("other.txt").toString());

    receive(receiver, file);

    assertThat(channelSyncs()).isOne();
    assertThat(bean().getFilesWaiting()).isEqualTo(2);
  }

  @Test
  void files_of_other_writers_are_synced_at_once() throws Exception {
    Object receiver = receiver();
    received(receiver, path("nb-1-big-Data.db"));

    Object flushed =
        made(SequentialWriter.class, new Class<?>[] {String.class}, path("nb-2-big-Data.db"));
    call(flushed, "sync");

    assertThat(field(flushed, "syncs")).isEqualTo(1);
    assertThat(folderSyncs()).isOne();
  }

  @Test
  void a_file_whose_task_has_ended_is_synced_at_once() throws Exception {
    receiver();
    Object file = file(null, path("nb-1-big-Data.db"));

    call(file, "read", "in", 12);

    assertThat(field(field(file, "data"), "syncs")).isEqualTo(1);
    assertThat(bean().isEnabled()).isTrue();
  }

  @Test
  void a_commit_whose_files_cannot_be_synced_fails_as_cassandra_itself_would() throws Exception {
    Object receiver = receiver();
    // The kernel opens this file, but cannot sync it.
    received(receiver, "/dev/null");

    assertThatThrownBy(() -> call(receiver, "finishTransaction"))
        .hasToString("org.apache.cassandra.io.FSWriteError: /dev/null")
        .hasRootCauseMessage("fsync failed, errno 22");
    assertThat(field(receiver, "committed")).isEqualTo(false);
    assertThat(field(receiver, "aborted")).isEqualTo(true);
  }

  @Test
  void syncs_of_an_aborted_stream_are_dropped() throws Exception {
    Object receiver = receiver();
    received(receiver, path("nb-1-big-Data.db"));

    call(receiver, "abort");

    assertThat(bean().getFilesWaiting()).isZero();
    assertThat(bean().getFilesSynced()).isZero();
  }

  @Test
  void switched_off_it_defers_no_sync_and_does_deferred_ones() throws Exception {
    Object receiver = receiver();
    received(receiver, path("nb-1-big-Data.db"));
    bean().setEnabled(false);

    Object file = received(receiver, path("nb-2-big-Data.db"));
    assertThat(syncs(file)).isEqualTo(4);
    call(receiver, "finishTransaction");
    assertThat(bean().getFilesSynced()).isEqualTo(2);

    Object other = receiver();
    received(other, path("nb-3-big-Data.db"));
    call(other, "finishTransaction");
    assertThat(bean().getSyncsPutOff()).isEqualTo(4);
  }

  @Test
  void a_receiver_that_is_not_followed_defers_no_sync() throws Exception {
    changed.breaks.put("finishTransaction", "finishTransactiox");
    Object receiver = receiver();
    Object file = received(receiver, path("nb-1-big-Data.db"));

    assertThat(syncs(file)).isEqualTo(4);
    assertThat(server.queryNames(new ObjectName("io.sluice:*"), null)).isEmpty();
  }

  @Test
  void a_log_that_is_not_followed_defers_no_sync() throws Exception {
    changed.breaks.put("append", "appenx");
    Object receiver = receiver();
    Object file = received(receiver, path("nb-1-big-Data.db"));

    assertThat(syncs(file)).isEqualTo(4);
    call(receiver, "finishTransaction");
    assertThat(field(receiver, "committed")).isEqualTo(true);
  }

  @Test
  void a_receiver_that_does_not_find_the_agent_defers_no_sync_and_commits() throws Exception {
    String hook = JoinHook.class.getName().replace('.', '/');
    changed.loadClass(CassandraIncomingFile.class.getName());
    changed.loadClass(SequentialWriter.class.getName());
    changed.loadClass(SyncUtil.class.getName());
    changed.loadClass(FileOutputStreamPlus.class.getName());
    changed.after.put(hook, hook.replace("JoinHook", "JoinHoox"));
    Object receiver = receiver();
    Object file = received(receiver, path("nb-1-big-Data.db"));

    assertThat(syncs(file)).isEqualTo(4);
    call(receiver, "finishTransaction");
    assertThat(field(receiver, "committed")).isEqualTo(true);
  }

  private Object manager() throws Exception {
    return changed.loadClass(CompactionManager.class.getName()).getField("instance").get(null);
  }

  @Test
  void compaction_is_deferred_until_the_bootstrap_ends() throws Exception {
    bootstrapping.set(true);
    receiver();
    Object manager = manager();
    ColumnFamilyStore table = new ColumnFamilyStore("k", "t");

    assertThat((List<?>) call(manager, "submitBackground", table)).isEmpty();
    assertThat((List<?>) call(manager, "submitBackground", new ColumnFamilyStore("system", "t")))
        .hasSize(1);
    assertThat(bean().getCompactionsHeld()).isOne();
    assertThat(call(manager, "submissions")).isEqualTo(1);

    bootstrapping.set(false);

    await()
        .untilAsserted(
            () -> assertThat((List<?>) call(manager, "submitBackground", table)).hasSize(1));
  }

  @Test
  void in_write_survey_mode_of_6_0_compaction_is_deferred_until_the_streams_end() throws Exception {
    AtomicReference<String> state = new AtomicReference<>("IN_PROGRESS");
    LaterStorage storage =
        new LaterStorage() {
          @Override
          public boolean isBootstrapMode() {
            return bootstrapping.get();
          }

          @Override
          public String getBootstrapState() {
            return state.get();
          }
        };
    ObjectName name = new ObjectName("org.apache.cassandra.db:type=StorageService");
    server.unregisterMBean(name);
    server.registerMBean(new StandardMBean(storage, LaterStorage.class), name);
    bootstrapping.set(true);
    receiver();
    Object manager = manager();
    ColumnFamilyStore table = new ColumnFamilyStore("k", "t");
    assertThat((List<?>) call(manager, "submitBackground", table)).isEmpty();

    state.set("COMPLETED");

    await()
        .untilAsserted(
            () -> assertThat((List<?>) call(manager, "submitBackground", table)).hasSize(1));
  }
}
