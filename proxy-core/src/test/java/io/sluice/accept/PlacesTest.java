package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlacesTest {

  private final Places places = new Places(20);

  /** Returns how many more places before login an address gets. */
  private List<Places.Place> fill(String address) {
    List<Places.Place> taken = new ArrayList<>();
    for (Places.Place next = places.take(address); next != null; next = places.take(address)) {
      taken.add(next);
    }
    return taken;
  }

  @Test
  void silent_connections_of_one_address_take_half_of_what_others_leave() {
    assertThat(fill("a")).hasSize(10);
    assertThat(fill("b")).hasSize(5);
    assertThat(fill("c")).hasSize(2);
  }

  @Test
  void any_address_gets_a_place_while_one_is_free() {
    for (int i = 0; i < 4; i++) {
      fill("silent " + i);
    }
    assertThat(places.take("another")).isNotNull();
  }

  @Test
  void connections_that_have_logged_in_keep_their_places_and_count_against_no_address() {
    for (int i = 0; i < 20; i++) {
      Objects.requireNonNull(places.take("a")).loggedIn();
    }
    assertThat(places.take("a")).isNull();
    assertThat(places.take("b")).isNull();
  }

  @Test
  void a_place_is_free_again_when_its_connection_is_gone() {
    List<Places.Place> silent = fill("a");
    Places.Place loggedIn = silent.remove(0);
    loggedIn.loggedIn();
    loggedIn.leave();
    silent.forEach(Places.Place::leave);
    assertThat(fill("a")).hasSize(10);
  }

  @Test
  void a_single_place_can_be_taken() {
    assertThat(new Places(1).take("a")).isNotNull();
  }
}
