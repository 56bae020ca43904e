package io.sluice.host.plan;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kind of block devices, with the recommended settings. */
public enum DiskKind {
  /** A disk with a head that seeks. */
  ROTATIONAL("a disk with seeks", "mq-deadline", false, 64),
  /** Flash behind SATA or SAS. */
  SSD("flash behind SATA or SAS", "mq-deadline", true, 4),
  /** Flash with a queue for each core. */
  NVME("NVMe flash", "none", true, 4),
  /** A disk of a virtual machine. */
  VIRTIO("a virtual disk", "mq-deadline", true, 64),
  /** A device composed of others, by LVM, dm-crypt or software RAID. */
  STACKED("a device composed of others", null, false, 64),
  /** A device that is not a disk. */
  NO_DISK("not a disk", null, false, 0),
  /** Any other device. */
  UNKNOWN("of unknown kind", null, false, 0);

  private static final List<String> VIRTUAL_VENDORS =
      List.of("qemu", "google", "vmware", "msft", "virtual", "xen", "red hat", "amazon");

  private final String words;
  private final @Nullable String scheduler;
  private final boolean takesNone;
  private final int readAheadKb;

  DiskKind(String words, @Nullable String scheduler, boolean takesNone, int readAheadKb) {
    this.words = words;
    this.scheduler = scheduler;
    this.takesNone = takesNone;
    this.readAheadKb = readAheadKb;
  }

  /** Returns the kind of the device with that name in {@code /sys/block}. */
  static DiskKind of(HostTree tree, String device) throws IOException {
    if (device.matches("(loop|ram|zram|sr|fd|nbd|nullb).*")) {
      return NO_DISK;
    }
    if (device.matches("(dm-|md).*")) {
      return STACKED;
    }
    if (device.matches("nvme\\d+n\\d+")) {
      return NVME;
    }
    if (device.matches("x?vd[a-z]+")) {
      return VIRTIO;
    }
    if (!device.matches("sd[a-z]+") || value(tree, device, "removable").equals("1")) {
      return UNKNOWN;
    }
    String vendor =
        value(tree, device, "device/vendor") + " " + value(tree, device, "device/model");
    if (VIRTUAL_VENDORS.stream().anyMatch(vendor.toLowerCase(Locale.ROOT)::contains)) {
      return VIRTIO;
    }
    return switch (value(tree, device, "queue/rotational")) {
      case "1" -> ROTATIONAL;
      case "0" -> SSD;
      default -> UNKNOWN;
    };
  }

  private static String value(HostTree tree, String device, String name) throws IOException {
    return tree.read("/sys/block/" + device + "/" + name).map(KernelValue::of).orElse("");
  }

  String words() {
    return words;
  }

  /**
   * Returns the scheduler to set if the current one is not recommended; null if there is no advice.
   */
  @Nullable String scheduler() {
    return scheduler;
  }

  boolean takes(String scheduler) {
    return scheduler.equals(this.scheduler) || (takesNone && scheduler.equals("none"));
  }

  /** Returns the largest recommended read-ahead, for a medium with seeks or of unknown kind. */
  int readAheadKb() {
    return readAheadKb;
  }
}
