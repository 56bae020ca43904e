package io.sluice.server.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads false as the constant OFF of an enum that has one. In YAML 1.1 an off without quotes is the
 * same value as false, and programs that write YAML, such as Helm, write false.
 */
final class OffForFalse extends BeanDeserializerModifier {
  private static final long serialVersionUID = 1L;

  @Override
  public JsonDeserializer<?> modifyEnumDeserializer(
      DeserializationConfig config,
      JavaType type,
      BeanDescription description,
      JsonDeserializer<?> words) {
    return Arrays.stream(type.getRawClass().getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals("OFF"))
        .findFirst()
        .<JsonDeserializer<?>>map(off -> new Reader(words, off))
        .orElse(words);
  }

  private static final class Reader extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    private final transient Object off;

    Reader(JsonDeserializer<?> words, Object off) {
      super(words);
      this.off = off;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> words) {
      return new Reader(words, off);
    }

    @Override
    public @Nullable Object deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      return in.hasToken(JsonToken.VALUE_FALSE) ? off : super.deserialize(in, context);
    }
  }
}
