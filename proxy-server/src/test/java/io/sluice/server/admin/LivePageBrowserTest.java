package io.sluice.server.admin;

import static io.sluice.server.settings.SettingsText.read;
import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.server.live.ConsoleView;
import io.sluice.server.live.LivePage;
import io.sluice.server.settings.AdminSettings;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live page in Chromium, with tables instead of a proxy. */
class LivePageBrowserTest {

  private static final Path DRIVERS = Path.of("../it/src/test/resources/drivers");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  /** Tables of a proxy with one node and one scan, which makes progress and can be ended. */
  private static final class Tables implements ConsoleView {
    private final List<String> told = new ArrayList<>();
    private String mode = "observe";
    private int pieces;
    private boolean ended;

    @Override
    public synchronized void select(String cql, Consumer<String> then) {
      String table = cql.replaceFirst("(?s).*system_proxy[.](\\w+).*", "$1");
      String rows =
          switch (table) {
            case "nodes" ->
                "[{'node':'10.0.0.1:9042','data_center':'dc1','rack':'r1','state':'normal',"
                    + "'agent':'absent','slots':32,'point_in_flight':3,'point_queued':0,"
                    + "'range_slots':4,'range_in_flight':4,'range_queued':9,'backlog_ms':120.5}]";
            case "requests" -> requests();
            case "shadow" ->
                mode.equals("observe")
                    ? "[{'node':'all','class':'point','reads':900,'now_p50_ms':80.0,"
                        + "'now_p99_ms':412.0,'estimated_p50_ms':0.9,'estimated_p99_ms':3.5,"
                        + "'estimated_wait_p99_ms':1.5,'estimated_refused':7}]"
                    : "[]";
            case "settings" ->
                "[{'value':'%s','source':'%s'}]"
                    .formatted(mode, mode.equals("observe") ? "file" : "console");
            case "statements" ->
                "[{'role':'app','text':'SELECT <b>x</b> FROM shop.events','class':'range_read',"
                    + "'calls':12,'mean_ms':2.5,'p99_ms':9.5,'queue_ms':1.5,'total_ms':30.0,"
                    + "'errors':2}]";
            case "clients" ->
                "[{'address':'10.0.0.7','role':'app','driver_name':'Java','driver_version':'4.17',"
                    + "'in_flight':5,'held_bytes':2048}]";
            case "queues" ->
                "[{'node':'10.0.0.1:9042','class':'range','refused_backlog':11,"
                    + "'refused_deadline':0,'node_overloaded':0}]";
            default -> throw new IllegalArgumentException(cql);
          };
      then.accept(rows.replace('\'', '"'));
    }

    private String requests() {
      pieces++;
      return ended
          ? "[]"
          : "[{'id':4097,'role':'app','address':'10.0.0.7','class':'range_read',"
              + "'keyspace_name':'shop','table_name':'events','state':'reading',"
              + "'running_ms':1500.0,'pieces':1000,'pieces_done':%d,'rows':5,'rows_wanted':9}]"
                  .formatted(pieces);
    }

    @Override
    public synchronized void end(long request, String operator, Consumer<Boolean> then) {
      told.add("end " + request + " by " + operator);
      ended = request == 4097;
      then.accept(ended);
    }

    @Override
    public synchronized @Nullable String set(String key, @Nullable String value, String operator) {
      told.add("set " + key + " to " + value + " by " + operator);
      mode = value == null ? "observe" : value;
      return null;
    }
  }

  /** Skips the test with a line that names what is missing. */
  private static void skip(String why) {
    System.err.println("SKIPPED the live page in a browser: " + why);
    Assumptions.abort(why);
  }

  private static String chromium() {
    List<String> folders = List.of(System.getenv("PATH").split(File.pathSeparator));
    Optional<Path> found =
        Stream.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
            .flatMap(name -> folders.stream().map(each -> Path.of(each, name)))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      skip("no Chromium is installed (apt-get install chromium)");
    }
    return found.orElseThrow().toString();
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .redirectInput(new File("/dev/null"))
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    if (command[0].endsWith("prepare") && process.exitValue() != 0) {
      skip("playwright-core cannot be installed: " + Files.readString(errors).strip());
    }
    assertThat(process.exitValue()).as(output + Files.readString(errors)).isZero();
    return output.strip();
  }

  private static Map<String, JsonNode> seen(String output) throws JsonProcessingException {
    Map<String, JsonNode> seen = new HashMap<>();
    for (String line : output.lines().toList()) {
      int colon = line.indexOf(": ");
      seen.put(line.substring(0, colon), MAPPER.readTree(line.substring(colon + 2)));
    }
    return seen;
  }

  @Test
  @Timeout(value = 4, unit = TimeUnit.MINUTES)
  void it_shows_what_happens_ends_a_scan_and_switches_the_mode() throws Exception {
    String chromium = chromium();
    Path home = Path.of(run(DRIVERS.resolve("prepare").toString(), "browser"));
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Timer.builder("sluice.requests")
        .publishPercentileHistogram()
        .tag("shape", "point_read")
        .register(registry)
        .record(Duration.ofMillis(3));
    Tables tables = new Tables();
    AdminSettings at = read(withCluster("admin: {port: 0, token: t0k3n}")).admin();
    Map<String, JsonNode> seen;
    String own;
    try (LivePage live = new LivePage(registry);
        AdminPort port = AdminPort.open(at, () -> "starting", registry, live)) {
      live.serving(tables);
      own = "127.0.0.1:" + port.address().getPort();
      seen =
          seen(
              run(
                  "node",
                  home.resolve("page.js").toString(),
                  chromium,
                  "http://" + own + "/",
                  "t0k3n",
                  "4097",
                  ""));
    }

    assertThat(seen.get("asks for a token").asText()).contains("token");
    assertThat(seen.get("charts").asInt()).isEqualTo(2);
    assertThat(seen.get("nodes").toString()).contains("10.0.0.1:9042", "4 of 4", "0 + 9");
    assertThat(seen.get("estimate").toString()).contains("412 ms", "3.5 ms", "7");
    assertThat(seen.get("statements").toString()).contains("SELECT <b>x</b> FROM shop.events");
    assertThat(seen.get("clients").toString()).contains("10.0.0.7", "Java 4.17", "2 KiB");
    assertThat(seen.get("refusals").toString()).contains("range", "11");
    assertThat(seen.get("updates").asBoolean()).isTrue();
    assertThat(seen.get("progresses").asBoolean()).isTrue();
    assertThat(seen.get("ends").asText()).isEqualTo("Request 4097: ended");
    assertThat(seen.get("is gone").asBoolean()).isTrue();
    assertThat(seen.get("back").asText()).matches("Back to observe in \\d+ s[.]");
    assertThat(seen.get("mode again").asText()).isEqualTo("observe");
    assertThat(seen.get("dark")).isNotEqualTo(seen.get("light"));
    assertThat(seen.get("wider than a phone")).isEmpty();
    assertThat(seen.get("hosts")).hasSize(1).first().hasToString("\"" + own + "\"");
    assertThat(seen.get("errors")).isEmpty();
    String operator = " by an operator at the admin port, from 127.0.0.1";
    assertThat(tables.told)
        .containsExactly(
            "end 4097" + operator,
            "set scheduling.mode to passthrough" + operator,
            "set scheduling.mode to null" + operator);
  }
}
