package io.sluice.it.cluster;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The provider that this run takes, with the reason.
 *
 * @param provider the one taken
 * @param reason for people, in one line
 */
record Choice(Provider provider, String reason) {

  /**
   * Decides.
   *
   * @param asked auto, forked, docker or external
   * @param dockerLacks what keeps containers from starting, null if nothing does; asked only for
   *     "auto": who forces a provider wants to see it fail
   */
  static Choice of(String asked, Supplier<@Nullable String> dockerLacks) {
    return switch (asked) {
      case "auto" -> automatic(dockerLacks.get());
      case "forked", "docker", "external" ->
          new Choice(Provider.valueOf(asked.toUpperCase(Locale.ROOT)), "as asked");
      default ->
          throw new IllegalArgumentException(
              "-Dit.cluster is auto, forked, docker or external, not " + asked);
    };
  }

  private static Choice automatic(@Nullable String dockerLacks) {
    return dockerLacks == null
        ? new Choice(Provider.DOCKER, "an engine answers and has the images")
        : new Choice(Provider.FORKED, dockerLacks);
  }

  String line() {
    return "it.cluster: " + provider.name().toLowerCase(Locale.ROOT) + ", " + reason;
  }
}
