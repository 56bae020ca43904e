package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.hint.Hint;
import io.sluice.agent.hook.StageHook;
import io.sluice.agent.queue.ReadQueue;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Member;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.ObjectName;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import org.apache.cassandra.concurrent.SEPExecutor;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.net.InboundMessageHandler.ProcessSmallMessage;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassHooksTest {
  private static final String EXECUTOR = "org/apache/cassandra/concurrent/SEPExecutor";

  private final ClassHooks hooks = new ClassHooks(List.of(new StageClassHook()));

  /** Defines one class from given bytes. */
  private static final class OneClass extends ClassLoader {
    Class<?> define(byte[] classFile) {
      return defineClass(SEPExecutor.class.getName(), classFile, 0, classFile.length);
    }
  }

  @BeforeEach
  void prepare() {
    StageHook.prepare(new StageHook.Settings(700, true, true));
  }

  @AfterEach
  void forget() throws Exception {
    var server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName each : server.queryNames(new ObjectName("io.sluice:*"), null)) {
      server.unregisterMBean(each);
    }
  }

  @Test
  void the_read_stage_gets_an_ordered_queue_with_the_age_limit_asked_for() throws Exception {
    Object queue = queueOf(changed(classFile()), "ReadStage");

    assertThat(queue).isInstanceOf(ReadQueue.class);
    assertThat(((ReadQueue) queue).ageLimitNanos()).isEqualTo(700_000_000);
    assertThat(
            ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("io.sluice:type=ReadStage"), "Report"))
        .asString()
        .startsWith("enabled=true queuedLocalPoints=0")
        .endsWith("ageLimitMillis=700");
  }

  @Test
  void native_transport_gets_one_if_it_was_asked_for() throws Exception {
    byte[] changed = changed(classFile());

    assertThat(queueOf(changed, "Native-Transport-Requests")).isInstanceOf(ReadQueue.class);
    StageHook.prepare(new StageHook.Settings(700, false, true));
    assertThat(queueOf(changed, "Native-Transport-Requests"))
        .isExactlyInstanceOf(ConcurrentLinkedQueue.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_read_stage_uses_hints_only_if_they_were_asked_for(boolean hints) throws Exception {
    StageHook.prepare(new StageHook.Settings(700, false, hints));
    ReadQueue queue = (ReadQueue) queueOf(changed(classFile()), "ReadStage");
    Object narrow = received(2000, Map.of());
    Object hintedAsNarrower = received(5000, Map.of(Hint.KEY, Hint.of(1, 10).bytes()));
    queue.add(narrow);
    queue.add(hintedAsNarrower);

    assertThat(queue.poll()).isSameAs(hints ? hintedAsNarrower : narrow);
  }

  private static Object received(int rows, Map<String, byte[]> parameters) {
    long expiresAt = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    return new ProcessSmallMessage(
        new Message(
            new Message.Header(Verb.RANGE_REQ, "there", expiresAt, parameters),
            new PartitionRangeReadCommand(rows)));
  }

  @Test
  void every_other_stage_keeps_its_own() throws Exception {
    byte[] changed = changed(classFile());

    for (String each : List.of("MutationStage", "ReadStageRepair", "CounterMutationStage")) {
      assertThat(queueOf(changed, each)).isExactlyInstanceOf(ConcurrentLinkedQueue.class);
    }
  }

  @Test
  void a_second_read_stage_stays_stock_as_its_bean_has_no_place() throws Exception {
    byte[] changed = changed(classFile());
    assertThat(queueOf(changed, "ReadStage")).isInstanceOf(ReadQueue.class);

    assertThat(queueOf(changed, "ReadStage")).isExactlyInstanceOf(ConcurrentLinkedQueue.class);
  }

  @Test
  void a_class_that_is_not_as_expected_is_left_alone() throws Exception {
    assertThat(changed(renamed(classFile(), "tasks", "tesks"))).isNull();
    assertThat(changed(renamed(classFile(), "name", "nome"))).isNull();
    assertThat(changed(new byte[] {1, 2, 3})).isNull();
  }

  @Test
  void a_class_that_another_tool_redefines_keeps_its_hook_and_its_members() throws Exception {
    byte[] redefined = redefined(classFile());

    assertThat(queueOf(redefined, "ReadStage")).isInstanceOf(ReadQueue.class);
    Class<?> type = new OneClass().define(redefined);
    assertThat(members(type)).isEqualTo(members(SEPExecutor.class));
  }

  @Test
  void a_class_that_is_redefined_with_its_hook_does_not_get_it_twice() throws Exception {
    assertThat(redefined(changed(classFile()))).isNull();
  }

  @Test
  void a_class_that_is_redefined_as_not_expected_loses_its_hook_with_notice() throws Exception {
    AtomicInteger misfits = new AtomicInteger();
    ClassHook counting =
        new ClassHook() {
          private final ClassHook stage = new StageClassHook();

          @Override
          public String className() {
            return stage.className();
          }

          @Override
          public @Nullable String misfit(TypeDescription type) {
            return stage.misfit(type);
          }

          @Override
          public AsmVisitorWrapper change() {
            return stage.change();
          }

          @Override
          public void onMisfit() {
            misfits.incrementAndGet();
          }
        };
    byte[] other = renamed(classFile(), "tasks", "tesks");

    assertThat(
            new ClassHooks(List.of(counting))
                .transform(getClass().getClassLoader(), EXECUTOR, SEPExecutor.class, null, other))
        .isNull();
    assertThat(misfits).hasValue(1);
  }

  @Test
  void a_class_without_a_hook_is_left_alone() throws Exception {
    assertThat(hooks.transform(getClass().getClassLoader(), "a/b/C", null, null, classFile()))
        .isNull();
    assertThat(hooks.transform(null, null, null, null, classFile())).isNull();
  }

  @Test
  void without_settings_nothing_is_replaced() throws Exception {
    StageHook.prepare(null);

    assertThat(queueOf(changed(classFile()), "ReadStage"))
        .isExactlyInstanceOf(ConcurrentLinkedQueue.class);
  }

  private byte[] changed(byte[] classFile) {
    return hooks.transform(getClass().getClassLoader(), EXECUTOR, null, null, classFile);
  }

  private byte[] redefined(byte[] classFile) {
    return hooks.transform(
        getClass().getClassLoader(), EXECUTOR, SEPExecutor.class, null, classFile);
  }

  /** Returns the members, which a redefinition must not change. */
  private static List<String> members(Class<?> type) {
    return Stream.<Member[]>of(
            type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
        .flatMap(Stream::of)
        .map(Member::toString)
        .sorted()
        .toList();
  }

  private static Object queueOf(byte[] classFile, String name) throws Exception {
    Object executor =
        new OneClass().define(classFile).getConstructor(String.class).newInstance(name);
    return executor.getClass().getMethod("queue").invoke(executor);
  }

  private static byte[] renamed(byte[] classFile, String from, String to) {
    String text = new String(classFile, StandardCharsets.ISO_8859_1);
    String length = "\0" + (char) from.length();
    return text.replace("\u0001" + length + from, "\u0001" + length + to)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] classFile() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            SEPExecutor.class.getClassLoader().getResourceAsStream(EXECUTOR + ".class"))) {
      return in.readAllBytes();
    }
  }
}
