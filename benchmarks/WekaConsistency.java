import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import weka.attributeSelection.ConsistencySubsetEval;
import weka.core.Instances;

/** Prints 1 - inconsistency of each subset of a file, then the processor seconds of all after a warm-up. */
public class WekaConsistency {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new FileReader(args[0]));
        data.setClassIndex(data.numAttributes() - 1);
        ConsistencySubsetEval measure = new ConsistencySubsetEval();
        measure.buildEvaluator(data);
        List<BitSet> subsets = read(args[1]);
        for (int round = 0; round < 2; round++)
            for (BitSet subset : subsets) measure.evaluateSubset(subset);
        double[] values = new double[subsets.size()];
        long start = cpu();
        for (int i = 0; i < values.length; i++) values[i] = measure.evaluateSubset(subsets.get(i));
        double seconds = (cpu() - start) / 1e9;
        for (double value : values) System.out.println(value);
        System.out.println(seconds);
    }

    static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    static List<BitSet> read(String path) throws Exception {
        List<BitSet> subsets = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new FileReader(path))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                BitSet subset = new BitSet();
                for (int j = 0; j < line.length(); j++) if (line.charAt(j) == '1') subset.set(j);
                subsets.add(subset);
            }
        }
        return subsets;
    }
}
