package io.sluice.host.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class EqualPagesTest {
  private static PageHashes pages(long... contents) {
    PageHashes hashes = new PageHashes();
    for (long content : contents) {
      ByteBuffer page = ByteBuffer.allocate(PageReader.PAGE);
      page.putLong(8, content);
      hashes.add(PageHashes.of(page, 0, PageReader.PAGE));
    }
    return hashes;
  }

  @Test
  void each_content_is_kept_once() {
    assertThat(EqualPages.of(List.of(pages(1, 2, 2, 2, 3), pages(2, 2, 4), pages(2, 3))))
        .isEqualTo(new EqualPages(3, 3));
  }

  @Test
  void different_pages_are_not_equal() {
    assertThat(EqualPages.of(List.of(pages(1, 2, 3), pages(4, 5)))).isEqualTo(new EqualPages(0, 0));
    assertThat(EqualPages.of(List.of())).isEqualTo(new EqualPages(0, 0));
  }

  @Test
  void only_a_page_of_zeros_has_the_hash_zero() {
    assertThat(pages(0).get(0)).isZero();
    ByteBuffer page = ByteBuffer.allocate(2 * PageReader.PAGE);
    page.put(PageReader.PAGE - 1, (byte) 1);
    assertThat(PageHashes.of(page, 0, PageReader.PAGE)).isNotZero();
    assertThat(PageHashes.of(page, PageReader.PAGE, PageReader.PAGE)).isZero();
  }

  @Test
  void the_place_of_a_word_counts() {
    ByteBuffer page = ByteBuffer.allocate(2 * PageReader.PAGE);
    page.putLong(0, 7);
    page.putLong(PageReader.PAGE + 8, 7);
    assertThat(PageHashes.of(page, 0, PageReader.PAGE))
        .isNotEqualTo(PageHashes.of(page, PageReader.PAGE, PageReader.PAGE));
  }
}
