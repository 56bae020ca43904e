package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules, applied to two packages of JUnit: its support depends on its commons. */
class RoomsTest {
  private static final String ROOM = "org.junit.platform.commons.support";
  private static final String OTHERS = "org.junit.platform.commons..";

  private final Rooms rooms = Rooms.of(ROOM);

  private void check(List<String> mayKnow, String... everywhere) throws Throwable {
    rooms
        .knowOnly(Map.of(ROOM, mayKnow), everywhere)
        .findAny()
        .orElseThrow()
        .getExecutable()
        .execute();
  }

  @Test
  void a_dependency_that_is_not_allowed_is_a_fault() {
    assertThatThrownBy(() -> check(List.of()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("org.junit.platform.commons.util");
  }

  @Test
  void a_room_may_use_the_packages_of_its_row_and_those_of_all_rooms() {
    assertThatCode(() -> check(List.of(OTHERS), "org.apiguardian..")).doesNotThrowAnyException();
    assertThatCode(() -> check(List.of(), OTHERS, "org.apiguardian..")).doesNotThrowAnyException();
  }

  @Test
  void a_row_without_classes_is_a_fault() {
    assertThatThrownBy(
            () ->
                rooms
                    .knowOnly(Map.of("org.junit.gone", List.of()))
                    .findAny()
                    .orElseThrow()
                    .getExecutable()
                    .execute())
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void a_package_without_a_row_is_a_fault() {
    assertThatThrownBy(() -> rooms.areAllAmong(List.of("io.sluice.ring")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(ROOM);
    assertThatCode(() -> rooms.areAllAmong(List.of(ROOM + ".."))).doesNotThrowAnyException();
  }
}
