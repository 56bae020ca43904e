package io.sluice.agent.node;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Breaks classes while they are loaded, so that they look like another version. The arguments are
 * separated by commas. {@code class:name:othername} renames an entry of the class's constant pool;
 * both names have the same length. {@code class} alone makes the class unreadable.
 */
public final class FaultAgent implements ClassFileTransformer {
  private final String[] faults;

  private FaultAgent(String[] faults) {
    this.faults = faults;
  }

  /** Installs the agent. The JVM calls this. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new FaultAgent(arguments.split(",", -1)));
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String className,
      Class<?> loaded,
      ProtectionDomain domain,
      byte[] classFile) {
    byte[] changed = null;
    for (String each : faults) {
      String[] parts = each.split(":", -1);
      if (parts[0].replace('.', '/').equals(className)) {
        byte[] from = changed == null ? classFile : changed;
        changed = parts.length == 1 ? new byte[] {1, 2, 3} : renamed(from, parts[1], parts[2]);
      }
    }
    return changed;
  }

  /** Renames an entry. A text constant is a tag (1), a length of two bytes, and the text. */
  private static byte[] renamed(byte[] classFile, String name, String other) {
    byte[] result = classFile.clone();
    byte[] wanted = constant(name);
    byte[] instead = constant(other);
    for (int i = 0; i + wanted.length <= result.length; i++) {
      if (Arrays.equals(result, i, i + wanted.length, wanted, 0, wanted.length)) {
        System.arraycopy(instead, 0, result, i, instead.length);
      }
    }
    return result;
  }

  private static byte[] constant(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(1);
      out.writeUTF(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes this agent's jar into a folder. */
  static Path jarIn(Path folder) throws IOException {
    Path jar = folder.resolve("fault-agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", FaultAgent.class.getName());
    String entry = FaultAgent.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream self =
            Objects.requireNonNull(FaultAgent.class.getClassLoader().getResourceAsStream(entry))) {
      out.putNextEntry(new JarEntry(entry));
      self.transferTo(out);
    }
    return jar;
  }
}
