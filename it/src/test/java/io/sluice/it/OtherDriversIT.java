package io.sluice.it;

import static io.sluice.it.Clients.command;

import io.sluice.it.cluster.CassandraCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Drivers of other languages print through Sluice what they print at a node. */
@CassandraCluster
class OtherDriversIT {

  @Test
  void the_python_driver_sees_the_same() throws Exception {
    Path home = Clients.ready("python");
    same(
        (target, seen) ->
            Clients.transcribe(
                command(
                    home.resolve("bin/python"),
                    home.resolve("client.py"),
                    target.host(),
                    target.port(),
                    target.keyspace("python")),
                home,
                seen));
  }

  @Test
  void cqlsh_sees_the_same() throws Exception {
    Path home = Clients.ready("python");
    same((target, seen) -> cqlsh(home, target, seen, "session.cql"));
  }

  @Test
  void cqlsh_copies_and_traces_the_same() throws Exception {
    Path home = Clients.ready("python");
    same((target, seen) -> cqlsh(home, target, seen, "copy.cql"));
  }

  @Test
  void gocql_sees_the_same() throws Exception {
    Path home = Clients.ready("go");
    same(
        (target, seen) ->
            Clients.transcribe(
                command(
                    home.resolve("client"), target.host(), target.port(), target.keyspace("gocql")),
                home,
                seen));
  }

  @Test
  void the_node_driver_sees_the_same() throws Exception {
    Path home = Clients.ready("node");
    same(
        (target, seen) ->
            Clients.transcribe(
                command(
                    "node",
                    home.resolve("client.js"),
                    target.host(),
                    target.port(),
                    target.keyspace("node")),
                home,
                seen));
  }

  /** Runs a file of statements; what cqlsh makes of time and identity is left out. */
  private static void cqlsh(Path home, Target target, Transcript seen, String file)
      throws Exception {
    String keyspace = target.keyspace("cqlsh");
    Path folder = Files.createTempDirectory("cqlsh");
    try {
      String text = Files.readString(home.resolve(file)).replace("$ks", keyspace);
      Path script = Files.writeString(folder.resolve("script.cql"), text);
      Transcript raw = new Transcript(target);
      Clients.transcribe(Cqlsh.command(home, target, script), folder, raw);
      for (String line : raw.lines()) {
        String kept = Cqlsh.withoutTime(line.replace(folder.toString(), "<folder>"));
        if (!kept.isBlank() && !kept.matches("(out|err): *")) {
          seen.say("cqlsh", kept);
        }
      }
    } finally {
      Cqlsh.delete(folder);
    }
  }

  private static void same(SameAnswer.Script script) throws Exception {
    SameAnswer.of(Stage.plain(), script);
  }
}
