package io.sluice.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import site.ycsb.Client;

/** Reads a command line of YCSB as YCSB itself does. Stateless. */
final class YcsbProperties {
  private YcsbProperties() {}

  /**
   * Returns the properties. Those of options precede those of files, and later ones earlier ones.
   *
   * @throws IllegalArgumentException when a value is missing or not NAME=VALUE
   * @throws UncheckedIOException when a file cannot be read
   */
  static Properties of(List<String> args) {
    Properties files = new Properties();
    Properties options = new Properties();
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "-load" -> options.setProperty(Client.DO_TRANSACTIONS_PROPERTY, "false");
        case "-t" -> options.setProperty(Client.DO_TRANSACTIONS_PROPERTY, "true");
        case "-threads" -> options.setProperty(Client.THREAD_COUNT_PROPERTY, value(args, ++i));
        case "-P" -> load(value(args, ++i), files);
        case "-p" -> add(value(args, ++i), options);
        default -> {
          // An option without a property that matters here, or its value.
        }
      }
    }
    files.putAll(options);
    return files;
  }

  private static String value(List<String> args, int at) {
    if (at >= args.size()) {
      throw new IllegalArgumentException(args.get(at - 1) + ": its value is missing");
    }
    return args.get(at);
  }

  private static void load(String file, Properties to) {
    try (InputStream bytes = Files.newInputStream(Path.of(file))) {
      to.load(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("-P: cannot read " + file, e);
    }
  }

  private static void add(String option, Properties to) {
    int equals = option.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("-p: '" + option + "' is not NAME=VALUE");
    }
    to.setProperty(option.substring(0, equals), option.substring(equals + 1));
  }
}
