package io.sluice.host.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The beans of a JVM that any user may have started, at a port of this JVM. */
@Timeout(60)
class JvmBeansTest {
  private static final AtomicInteger CREATED = new AtomicInteger();

  private GuardedJmx jmx = null;

  @BeforeEach
  void open() throws Exception {
    CREATED.set(0);
    jmx = new GuardedJmx("anna", "secret");
  }

  @AfterEach
  void close() throws IOException {
    jmx.close();
  }

  private JvmBeans beans() throws IOException {
    return JvmBeans.atPort(jmx.address(), List.of("anna", "secret"), null);
  }

  /** An object with code that runs when it is read. */
  static final class Code implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      CREATED.incrementAndGet();
    }
  }

  /** The attribute of a bean. */
  public interface Answer {
    Object getAnswer();
  }

  private String answer(Object value) throws Exception {
    ObjectName name = new ObjectName("io.sluice.host:type=Answer");
    Answer answer = () -> value;
    var server = ManagementFactory.getPlatformMBeanServer();
    server.registerMBean(new StandardMBean(answer, Answer.class), name);
    try (JvmBeans beans = beans()) {
      return beans.attribute(name.toString(), "Answer").orElseThrow();
    } finally {
      server.unregisterMBean(name);
    }
  }

  @Test
  void an_answer_of_another_class_is_not_created() {
    assertThatThrownBy(() -> answer(new Code()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("REJECTED");
    assertThatThrownBy(() -> answer(new Code[] {new Code()})).isInstanceOf(IOException.class);

    assertThat(CREATED).hasValue(0);
  }

  @Test
  void a_stub_of_another_class_is_not_created() throws IOException {
    ByteArrayOutputStream stub = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(stub)) {
      out.writeObject(new Code());
    }
    String text = Base64.getEncoder().encodeToString(stub.toByteArray());

    assertThatThrownBy(
            () -> JvmBeans.atLocalConnector(17, "service:jmx:rmi://127.0.0.1/stub/" + text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("REJECTED");

    assertThat(CREATED).hasValue(0);
  }

  @Test
  void an_answer_with_a_large_array_is_refused() {
    assertThatThrownBy(() -> answer(new long[10_001])).isInstanceOf(IOException.class);
  }

  @Test
  void answers_of_the_jvm_are_read() throws Exception {
    assertThat(answer("JOINING")).isEqualTo("JOINING");
    try (JvmBeans beans = beans()) {
      System.gc();
      assertThat(beans.heapAfterCollection()).isPositive();
      assertThat(beans.attribute("io.sluice.host:type=Missing", "Answer")).isEmpty();
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "service:jmx:rmi:///jndi/ldap://127.0.0.1:1/code",
        "service:jmx:rmi:///jndi/rmi://127.0.0.1:1/jmxrmi",
        "service:jmx:rmi://127.0.0.1/stub/../jndi/ldap://127.0.0.1:1/code",
        "service:jmx:iiop://127.0.0.1/stub/AAAA",
        "service:jmx:other://127.0.0.1/stub/AAAA"
      })
  void a_process_that_names_another_place_is_not_connected_to(String url) {
    assertThatThrownBy(() -> JvmBeans.atLocalConnector(17, url))
        .isInstanceOf(IOException.class)
        .hasMessage("process 17 does not name a local connector of JMX");
  }
}
