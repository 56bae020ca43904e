package io.sluice.server.settings;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.dropwizard.jackson.FuzzyEnumModule;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.util.DataSize;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.setting.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The format of values in the file: "500ms", "64MiB", "host:9042", "narrow-first". Stateless. */
public final class SettingsFormat {

  private static final int CQL_PORT = 9042;
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

  /** 192.0.2.1, an address for documentation that no host has. */
  private static final byte[] EXAMPLE = {(byte) 192, 0, 2, 1};

  private SettingsFormat() {}

  /**
   * Returns a mapper that knows these notations and refuses unknown keys.
   *
   * @param lookup finds the address of a name; the address stays unresolved if that fails
   */
  static ObjectMapper mapper(UnaryOperator<InetSocketAddress> lookup) {
    SimpleModule notations = new SimpleModule("sluice");
    notations.addSerializer(Duration.class, new DurationWriter());
    notations.addDeserializer(Duration.class, new DurationReader());
    notations.addDeserializer(InetSocketAddress.class, new AddressReader(lookup));
    notations.addDeserializer(Peer.class, new PeerReader(lookup));
    notations.addSerializer(Secret.class, new SecretWriter());
    notations.addDeserializer(Secret.class, new SecretReader());
    notations.setDeserializerModifier(new OffForFalse());
    ObjectMapper mapper = Jackson.newMinimalObjectMapper();
    mapper.registerModules(new FuzzyEnumModule(), notations);
    mapper.setAnnotationIntrospector(new SizesByName());
    mapper.addMixIn(Rule.Match.class, MatchNames.class);
    mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
    mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.forContentNulls(Nulls.SKIP));
    return mapper;
  }

  /**
   * Parses "host", "host:port" or "[v6]:port". Resolves the name; the address stays unresolved if
   * that fails.
   *
   * @throws IllegalArgumentException when the text is none of these
   */
  public static InetSocketAddress address(String text) {
    return resolved(name(text));
  }

  /** Resolves a name; the address stays unresolved if that fails. */
  static InetSocketAddress resolved(InetSocketAddress name) {
    return new InetSocketAddress(name.getHostString(), name.getPort());
  }

  /** Returns an address as if its name could be resolved, without a lookup. */
  static InetSocketAddress assumed(InetSocketAddress name) {
    String host = name.getHostString();
    if (host.contains(":") || NUMBERS.matcher(host).matches()) {
      return resolved(name);
    }
    try {
      return new InetSocketAddress(InetAddress.getByAddress(host, EXAMPLE), name.getPort());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Parses an address like {@link #address}, without resolving its name. */
  static InetSocketAddress name(String text) {
    String host = text;
    String port = String.valueOf(CQL_PORT);
    int colon = text.lastIndexOf(':');
    boolean bracketed = text.startsWith("[");
    if (colon > text.indexOf(']') && (bracketed || text.indexOf(':') == colon)) {
      host = text.substring(0, colon);
      port = text.substring(colon + 1);
    }
    if (bracketed && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isBlank() || host.contains(" ") || host.contains("[") || host.contains("/")) {
      throw new IllegalArgumentException("no host in \"" + text + "\"");
    }
    return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
  }

  /** Formats an address so that {@link #address} can parse it. */
  public static String text(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Formats a duration as in the file, to the millisecond. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    boolean seconds = millis % TimeUnit.SECONDS.toMillis(1) == 0;
    return seconds ? duration.toSeconds() + "s" : millis + "ms";
  }

  /** The names of matchers that are not valid names in Java. */
  private interface MatchNames {
    @JsonProperty("class")
    List<RuleClass> shapes();
  }

  /** Writes null instead of secrets. */
  private static final class SecretWriter extends StdScalarSerializer<Secret> {
    private static final long serialVersionUID = 1L;

    SecretWriter() {
      super(Secret.class);
    }

    @Override
    public void serialize(Secret value, JsonGenerator out, SerializerProvider context)
        throws IOException {
      out.writeNull();
    }
  }

  /**
   * Lets numbers whose name ends in Bytes be written as sizes, and a list of one matcher without
   * brackets.
   */
  private static final class SizesByName extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
      boolean isSize =
          annotated instanceof AnnotatedParameter parameter
              && parameter.getDeclaringClass().isRecord()
              && componentName(parameter).endsWith("Bytes");
      if (!isSize) {
        return super.findDeserializer(annotated);
      }
      return annotated.getRawType() == long.class ? LongSizeReader.class : IntSizeReader.class;
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(Annotated annotated) {
      boolean isMatcher =
          annotated instanceof AnnotatedParameter parameter
              && parameter.getDeclaringClass() == Rule.Match.class;
      return isMatcher
          ? JsonFormat.Value.empty().withFeature(JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          : super.findFormat(annotated);
    }

    private static String componentName(AnnotatedParameter parameter) {
      return parameter.getDeclaringClass().getRecordComponents()[parameter.getIndex()].getName();
    }
  }

  private static final class DurationWriter extends StdScalarSerializer<Duration> {
    private static final long serialVersionUID = 1L;

    DurationWriter() {
      super(Duration.class);
    }

    @Override
    public void serialize(Duration value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(text(value));
    }
  }

  private static final class DurationReader extends TextReader<Duration> {
    private static final long serialVersionUID = 1L;

    DurationReader() {
      super(Duration.class);
    }

    @Override
    Duration parse(String text) {
      return io.dropwizard.util.Duration.parse(text).toJavaDuration();
    }
  }

  private static final class AddressReader extends TextReader<InetSocketAddress> {
    private static final long serialVersionUID = 1L;

    private final transient UnaryOperator<InetSocketAddress> lookup;

    AddressReader(UnaryOperator<InetSocketAddress> lookup) {
      super(InetSocketAddress.class);
      this.lookup = lookup;
    }

    @Override
    InetSocketAddress parse(String text) {
      return lookup.apply(name(text));
    }
  }

  private static final class PeerReader extends TextReader<Peer> {
    private static final long serialVersionUID = 1L;

    private final transient UnaryOperator<InetSocketAddress> lookup;

    PeerReader(UnaryOperator<InetSocketAddress> lookup) {
      super(Peer.class);
      this.lookup = lookup;
    }

    @Override
    Peer parse(String text) {
      return Peer.of(text, lookup);
    }
  }

  private static final class SecretReader extends TextReader<Secret> {
    private static final long serialVersionUID = 1L;

    SecretReader() {
      super(Secret.class);
    }

    @Override
    Secret parse(String text) {
      return new Secret(text);
    }

    @Override
    String plain(String text) {
      return text;
    }
  }

  /** The notation of sizes that an int can hold, as opposed to any {@link DataSize}. */
  static final class IntSize {
    private IntSize() {}
  }

  private static long bytes(String text) {
    boolean plain = text.chars().allMatch(Character::isDigit);
    return plain ? Long.parseLong(text) : DataSize.parse(text).toBytes();
  }

  private static final class IntSizeReader extends TextReader<Integer> {
    private static final long serialVersionUID = 1L;

    IntSizeReader() {
      super(IntSize.class);
    }

    @Override
    Integer parse(String text) {
      long bytes = bytes(text);
      if (bytes > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("2 GiB or more");
      }
      return (int) bytes;
    }
  }

  private static final class LongSizeReader extends TextReader<Long> {
    private static final long serialVersionUID = 1L;

    LongSizeReader() {
      super(DataSize.class);
    }

    @Override
    Long parse(String text) {
      return bytes(text);
    }
  }

  /** Reads one scalar. If {@code parse} refuses it, the fault is at the value's place. */
  private abstract static class TextReader<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1L;

    TextReader(Class<?> notation) {
      super(notation);
    }

    abstract T parse(String text);

    /** Removes insignificant characters. */
    String plain(String text) {
      return text.strip();
    }

    @Override
    @SuppressWarnings("unchecked")
    public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
      String text = in.getValueAsString();
      if (text == null) {
        return (T) context.handleUnexpectedToken(handledType(), in);
      }
      try {
        return parse(plain(text));
      } catch (IllegalArgumentException e) {
        throw context.weirdStringException(text, handledType(), String.valueOf(e.getMessage()));
      }
    }
  }
}
