package io.sluice.it.cluster;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The provider of this run, with the reason.
 *
 * @param provider the provider
 * @param reason one line for people
 */
record Choice(Provider provider, String reason) {

  /**
   * Chooses the provider.
   *
   * @param asked auto, forked, docker or external
   * @param dockerLacks returns why containers cannot start, null if they can; called only for
   *     "auto", because a provider that was requested explicitly must fail
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
