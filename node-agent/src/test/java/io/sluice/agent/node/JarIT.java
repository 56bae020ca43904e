package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The contents of the agent's jar, as built. */
class JarIT {
  private static final int JAVA_8 = 52;

  @Test
  void it_shows_cassandra_nothing_but_itself_and_java_8_can_read_all_of_it() throws IOException {
    List<String> foreign = new ArrayList<>();
    List<String> tooNew = new ArrayList<>();
    int classes = 0;
    try (JarFile jar = new JarFile(AgentNode.agentJar().toFile())) {
      for (JarEntry each : jar.stream().filter(e -> !e.isDirectory()).toList()) {
        String name = each.getName();
        if (!name.startsWith("META-INF/") && !name.startsWith("io/sluice/agent/")) {
          foreign.add(name);
        }
        if (name.endsWith(".class")) {
          classes++;
          try (DataInputStream in = new DataInputStream(jar.getInputStream(each))) {
            in.skipNBytes(6);
            if (in.readUnsignedShort() > JAVA_8) {
              tooNew.add(name);
            }
          }
        }
      }
      assertThat(jar.getManifest().getMainAttributes().getValue("Premain-Class"))
          .isEqualTo("io.sluice.agent.SluiceAgent");
    }

    assertThat(foreign).isEmpty();
    assertThat(tooNew).isEmpty();
    assertThat(classes).isGreaterThan(100);
  }
}
