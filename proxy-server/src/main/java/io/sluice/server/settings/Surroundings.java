package io.sluice.server.settings;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.dropwizard.logging.common.AppenderFactory;
import io.dropwizard.logging.common.FileAppenderFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the needs of a configuration on this machine: host names, folders, certificates. */
final class Surroundings {

  private static final String CURRENT = "currentLogFilename";
  private static final String ARCHIVED = "archivedLogFilenamePattern";

  private final List<Fault> faults = new ArrayList<>();

  private Surroundings() {}

  /**
   * Returns a fault for each host without an address, log folder that is not writable, and
   * certificate that is unusable or not valid now.
   */
  static List<Fault> faults(Settings settings) {
    Surroundings found = new Surroundings();
    List<InetSocketAddress> nodes = settings.cluster().contactPoints();
    for (int i = 0; i < nodes.size(); i++) {
      found.host("cluster.contactPoints[" + i + "]", nodes.get(i).getHostString());
    }
    found.host("cql.host", settings.cql().host());
    found.host("admin.host", settings.admin().host());
    List<AppenderFactory<ILoggingEvent>> appenders = settings.logging().getAppenders();
    for (int i = 0; i < appenders.size(); i++) {
      if (appenders.get(i) instanceof FileAppenderFactory<?> file) {
        String appender = "logging.appenders[" + i + "].";
        found.logFile(appender + CURRENT, file.getCurrentLogFilename());
        found.logFile(appender + ARCHIVED, archive(file));
      }
    }
    settings.logging().getLoggers().forEach(found::logger);
    found.faults.addAll(CertificateFiles.faultsNow(settings));
    return found.faults;
  }

  /** Checks the files of a logger of its own, which is a level or an object with appenders. */
  private void logger(String name, JsonNode logger) {
    JsonNode appenders = logger.path("appenders");
    for (int i = 0; i < appenders.size(); i++) {
      JsonNode file = appenders.path(i);
      String appender = "logging.loggers." + name + ".appenders[" + i + "].";
      if (file.path("type").asText().equals("file")) {
        logFile(appender + CURRENT, file.path(CURRENT).textValue());
        logFile(
            appender + ARCHIVED,
            file.path("archive").asBoolean(true) ? file.path(ARCHIVED).textValue() : null);
      }
    }
  }

  private static @Nullable String archive(FileAppenderFactory<?> file) {
    return file.isArchive() ? file.getArchivedLogFilenamePattern() : null;
  }

  private void host(String key, String name) {
    try {
      InetAddress.getByName(name);
    } catch (UnknownHostException e) {
      String problem = "must be an address, or a host name that can be resolved on this machine";
      faults.add(new Fault(key, '"' + name + '"', problem, "check the spelling and the DNS"));
    }
  }

  private void logFile(String key, @Nullable String name) {
    Path folder = name == null ? null : Path.of(name).toAbsolutePath().getParent();
    if (folder != null && !(Files.isDirectory(folder) && Files.isWritable(folder))) {
      faults.add(
          new Fault(
              key,
              '"' + name + '"',
              "must be in an existing, writable folder",
              "create " + folder + ", or choose another folder"));
    }
  }
}
